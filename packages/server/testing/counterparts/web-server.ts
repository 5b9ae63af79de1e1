/**
 * A web server whose behaviour depends on the path: it responds, fails, hangs or sends an invalid response. It counts all
 * connections, including those without a request.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Behaviour = (response: ServerResponse, url: URL, received: Received) => void;

const behaviours: Record<string, Behaviour> = {
  echo: (response, _url, received) => sendJson(response, 200, received),
  text: (response, url) => response.setHeader('content-type', 'text/plain').end(url.searchParams.get('say') ?? 'hello'),
  /** Declares any text as JSON. */
  'as-json': (response, url) =>
    response.setHeader('content-type', 'application/json; charset=utf-8').end(url.searchParams.get('say')),
  status: (response, url) => {
    response.statusCode = Number(url.searchParams.get('code'));
    response.end(url.searchParams.get('say') ?? '');
  },
  redirect: (response, url) => response.writeHead(302, { location: url.searchParams.get('to') ?? '/' }).end(),
  hang: () => undefined,
  reset: (response) => response.socket?.resetAndDestroy(),
  garbage: (response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n'),
  cut: (response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('the beginning', () => response.socket?.destroy());
  },
  'longer-than-declared': (response) =>
    response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello, and more'),
  'long-head': (response) => response.setHeader('x-long', 'x'.repeat(100_000)).end(),
  huge: (response, url) => {
    response.setHeader('content-type', 'text/plain');
    response.end('x'.repeat(Number(url.searchParams.get('bytes'))));
  },
  /** Starts a response and does not finish it. */
  slow: (response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('the beginning');
  },
};

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function behave(request: IncomingMessage, response: ServerResponse, received: Received[]): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://here');
  const one = {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    body: await text(request),
  };
  received.push(one);
  const behaviour = behaviours[url.pathname.split('/')[1] ?? ''] ?? behaviours['echo'];
  behaviour?.(response, url, one);
}

export interface WebServer {
  origin: string;
  port: number;
  connections: () => number;
  /** The number of open connections. */
  open: () => number;
  received: Received[];
  stop: () => Promise<void>;
}

export async function startWebServer(listener?: RequestListener): Promise<WebServer> {
  const received: Received[] = [];
  const server = createServer(
    // A client may disconnect while its request is read.
    listener ?? ((request, response) => void behave(request, response, received).catch(() => response.destroy())),
  );
  let [connections, open] = [0, 0];
  server.on('connection', (socket) => {
    connections++;
    open++;
    socket.on('close', () => open--);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    connections: () => connections,
    open: () => open,
    received,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
