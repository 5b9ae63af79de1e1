/** A small HTTP server for the simulated systems. Requests and responses are JSON. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface JsonRequest {
  /** The path without the label, such as `sessions/results`. */
  name: string;
  /** The label of the experiment. */
  session: string;
  body: Record<string, unknown>;
}

export interface JsonResponse {
  status: number;
  body: Record<string, unknown>;
}

export interface JsonServer {
  origin: string;
  stop: () => Promise<void>;
}

export async function serveJson(handle: (request: JsonRequest) => Promise<JsonResponse>): Promise<JsonServer> {
  const server = createServer((request, response) => {
    const respond = async () => {
      const { status, body } = await handle(await read(request));
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    // A client that disconnects or sends invalid JSON gets no response.
    respond().catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The session is in the path, as in `/sessions/MC-0041-baseline/find`, or in the body. */
async function read(request: IncomingMessage): Promise<JsonRequest> {
  const [, first = '', label, last] = (request.url ?? '').split('/').map(decodeURIComponent);
  const content = await text(request);
  const body = content === '' ? {} : (JSON.parse(content) as JsonRequest['body']);
  const session = label ?? body['session'];
  return {
    name: [first, ...(last === undefined ? [] : [last])].join('/'),
    session: typeof session === 'string' ? session : '',
    body,
  };
}
