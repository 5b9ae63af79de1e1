/** Whether anybody still waits for an answer: for handlers that wait themselves, and would do their work for nobody. */
import type { FastifyInstance, FastifyReply } from 'fastify';

export type Gone = (reply: FastifyReply) => AbortSignal;

/** The signals abort when the connection closes, and all of them when the server is about to: who waits is answered then. */
export function watchConnections(app: FastifyInstance): Gone {
  const open = new Set<AbortController>();
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    for (const controller of open) controller.abort();
  });
  return ({ raw }) => {
    const controller = new AbortController();
    if (closing || raw.destroyed) controller.abort();
    open.add(controller);
    raw.once('close', () => {
      open.delete(controller);
      controller.abort();
    });
    return controller.signal;
  };
}
