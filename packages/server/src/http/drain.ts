/**
 * Ends a server without breaking an answer off. Node's own close waits for connections on which nothing was ever asked,
 * as load balancers and browsers keep them, until their time is up; these are closed at once, those with a request
 * when it is answered, and what is still not done after a while is cut.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const graceMs = 20_000;

/** `start` is to be called when the server is about to close. */
export function drainOnClose(server: Server) {
  const requests = new Map<Socket, number>();
  let draining = false;
  const count = (socket: Socket, change: number) => {
    const known = requests.get(socket);
    // A connection that broke is forgotten before its response is.
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
