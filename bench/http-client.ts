/** Reads responses with little work of its own, because the client shares the CPU with the server. */
import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import { basic } from '@milepost/api';
import { password } from './server.ts';

const agent = new Agent({ keepAlive: true });
export const authorization = basic('admin', password);

export interface Request {
  method: 'GET' | 'PUT';
  path: string;
  body?: object;
}

/** Resolves to the number of bytes of the body, which it does not keep. */
export const readLength = (url: string, more: Record<string, string> = {}): Promise<number> =>
  exchange(url, { headers: more });

export const send = (baseUrl: string, { method, path, body }: Request): Promise<number> =>
  exchange(
    baseUrl + path,
    { method, headers: body ? { 'content-type': 'application/json' } : {} },
    body && JSON.stringify(body),
  );

const exchange = (
  url: string,
  { headers, method = 'GET' }: { headers: OutgoingHttpHeaders; method?: string },
  body?: string,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers: { authorization, ...headers } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`${method} ${url} returned ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
