/**
 * A server that is about to end says so first: `/-/ready` tells balancers to send requests elsewhere, and every answer that
 * its connection is not to be used again. Whatever comes meanwhile is still answered.
 */
import type { FastifyInstance } from 'fastify';

export interface Leave {
  start: () => void;
  hasStarted: () => boolean;
}

export function announceLeave(http: FastifyInstance): Leave {
  let leaving = false;
  http.addHook('onSend', async (_request, reply) => {
    if (leaving) reply.header('connection', 'close');
  });
  return { start: () => void (leaving = true), hasStarted: () => leaving };
}
