/**
 * Announces that the server is about to stop: `/-/ready` tells load balancers to send requests elsewhere, and every response
 * closes its connection. Requests are still served until the server stops.
 */
import type { FastifyInstance } from 'fastify';

export interface GracefulShutdown {
  start: () => void;
  hasStarted: () => boolean;
}

export function createGracefulShutdown(http: FastifyInstance): GracefulShutdown {
  let started = false;
  http.addHook('onSend', async (_request, reply) => {
    if (started) reply.header('connection', 'close');
  });
  return { start: () => void (started = true), hasStarted: () => started };
}
