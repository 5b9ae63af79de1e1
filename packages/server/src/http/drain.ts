/**
 * Closes a server without cutting off responses. Node's own close waits for idle connections, such as those that load balancers
 * and browsers keep, until they time out. Here, idle connections are closed immediately, others after their response, and the
 * remaining ones after a grace period.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const graceMs = 20_000;

/** Call `start` when the server is about to close. */
export function drainOnClose(server: Server) {
  const requests = new Map<Socket, number>();
  let draining = false;
  const count = (socket: Socket, change: number) => {
    const known = requests.get(socket);
    // A broken connection is removed before its response closes.
    if (known === undefined) return;
    const open = known + change;
    requests.set(socket, open);
    if (draining && open === 0) socket.destroySoon();
  };
  server.on('connection', (socket) => {
    requests.set(socket, 0);
    socket.once('close', () => requests.delete(socket));
  });
  server.on('request', (request, response) => {
    count(request.socket, 1);
    response.once('close', () => count(request.socket, -1));
  });
  const start = () => {
    draining = true;
    for (const [socket, open] of requests) if (open === 0) socket.destroySoon();
    setTimeout(() => server.closeAllConnections(), graceMs).unref();
  };
  return { start, connections: () => requests.size };
}
