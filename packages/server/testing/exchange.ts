/** Requests that no HTTP client would send. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export const connectTo = (origin: string): Socket => connect(Number(new URL(origin).port), '127.0.0.1');

/** Sends one character per byte, in one packet per text, and returns everything received until the server closes. */
export async function exchange(origin: string, ...texts: string[]): Promise<string> {
  const socket = connectTo(origin).setNoDelay();
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
  const closed = once(socket, 'close');
  for (const text of texts) await new Promise((resolve) => socket.write(text, 'latin1', resolve));
  await closed;
  return received;
}

/** The status, headers and body of a response in the received text. */
export function responseIn(received: string) {
  const [head = '', body = ''] = received.split('\r\n\r\n', 2);
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(':', 1)[0] ?? '', line.replace(/^.*?: /, '')]),
  );
  return { status: Number(first.split(' ')[1]), headers, body: body === '' ? undefined : (JSON.parse(body) as object) };
}
