import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reaching, Unreachable } from './unreachable.ts';

const server = createServer((request, response) =>
  request.url === '/closes' ? request.destroy() : response.end('here'),
);
const reach = reaching(fetch);
let url: string;

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

it('an answer is passed on', async () => {
  expect(await (await reach(url)).text()).toBe('here');
});

it('no answer is told apart from faults of the page', async () => {
  await expect(reach(`${url}/closes`)).rejects.toBeInstanceOf(Unreachable);
});

it('what was given up is not unreachable', async () => {
  await expect(reach(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
});
