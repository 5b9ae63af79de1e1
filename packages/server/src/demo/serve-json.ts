/** A small web server for what the demo plays: it is asked in JSON and answers in JSON. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Asked {
  /** `PUT /sessions/results`, without the names in between. */
  what: string;
  /** The label of the experiment that it is about. */
  session: string;
  body: Record<string, unknown>;
}

export interface Answered {
  status: number;
  body: Record<string, unknown>;
}

export interface Serving {
  origin: string;
  stop: () => Promise<void>;
}

export async function serveJson(answer: (asked: Asked) => Promise<Answered>): Promise<Serving> {
  const server = createServer((request, response) => {
    const respond = async () => {
      const { status, body } = await answer(await asked(request));
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    // Whoever goes away in the middle, or sends what is no JSON, gets nothing.
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
async function asked(request: IncomingMessage): Promise<Asked> {
  const [, first = '', label, last] = (request.url ?? '').split('/').map(decodeURIComponent);
  const sent = await text(request);
  const body = sent === '' ? {} : (JSON.parse(sent) as Asked['body']);
  const session = label ?? body['session'];
  return {
    what: [first, ...(last === undefined ? [] : [last])].join('/'),
    session: typeof session === 'string' ? session : '',
    body,
  };
}
