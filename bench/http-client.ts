/** Reads responses with little work of its own, because the client shares the CPU with the server. */
import { Agent, get } from 'node:http';
import { basic } from '@milepost/api';
import { password } from './server.ts';

const agent = new Agent({ keepAlive: true });
export const authorization = basic('admin', password);

/** Resolves to the number of bytes of the body, which it does not keep. */
export const readLength = (url: string, more: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization, ...more } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`${url} returned ${response.statusCode}`));
      });
    });
    request.on('error', reject);
  });
