/** Signals that the client has disconnected, so that handlers stop waiting and working for it. */
import type { FastifyInstance, FastifyReply } from 'fastify';

export type DisconnectSignalOf = (reply: FastifyReply) => AbortSignal;

/** A signal aborts when its connection closes, or when the server is about to close and must end long polls. */
export function createDisconnectSignals(app: FastifyInstance): DisconnectSignalOf {
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
 * Calls `work` once: when the response has ended, when its connection closes, or immediately if it is already closed. Watching
 * the response alone is not enough: it emits nothing to late listeners, nor while it is queued behind another response on the
 * same connection.
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
