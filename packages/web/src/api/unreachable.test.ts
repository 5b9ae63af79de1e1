import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detectUnreachable, Unreachable } from './unreachable.ts';

const server = createServer((request, response) =>
  request.url === '/closes' ? request.destroy() : response.end('here'),
);
const send = detectUnreachable(fetch);
let url: string;

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe('detectUnreachable', () => {
  it('returns the response', async () => {
    expect(await (await send(url)).text()).toBe('here');
  });

  it('throws Unreachable if there is no response', async () => {
    await expect(send(`${url}/closes`)).rejects.toBeInstanceOf(Unreachable);
  });

  it('throws AbortError for an aborted request', async () => {
    await expect(send(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
