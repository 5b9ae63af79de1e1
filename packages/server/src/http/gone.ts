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
  return (reply) => {
    const controller = new AbortController();
    if (closing) controller.abort();
    open.add(controller);
    onceClosed(reply, () => {
      open.delete(controller);
      controller.abort();
    });
    return controller.signal;
  };
}

/**
 * Calls `work` once: when the response has ended, when its connection closes, or at once if it is closed already. The
 * response alone is not enough: it emits nothing to late listeners, and nothing at all while it is queued behind another
 * response of the same connection.
 */
export function onceClosed({ raw: response, request }: FastifyReply, work: () => void): void {
  const { socket } = request.raw;
  if (socket.destroyed) {
    work();
    return;
  }
  const close = () => {
    socket.off('close', close);
    response.off('close', close);
    work();
  };
  socket.once('close', close);
  response.once('close', close);
}
