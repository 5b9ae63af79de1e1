/** The accounts of the demo, on a simulated server that has their users and tokens. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureAccounts, type AccountsOptions } from './accounts.ts';

interface NewToken {
  name: string;
  expires_at: string;
}

interface Token extends NewToken {
  id: number;
  owner: number;
  revoked_at: string | null;
}

const usernames = ['importer', 'cluster'];
const users = usernames.map((username, id) => ({ id, username }));
const past = '2026-01-01T00:00:00Z';

let folder: string;
let file: string;
let tokens: Token[];
let hasCoordinator: boolean;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-accounts-'));
  file = join(folder, 'demo', 'demo.json');
});
beforeEach(async () => {
  tokens = [];
  hasCoordinator = false;
  await rm(file, { force: true });
});
afterAll(() => rm(folder, { recursive: true }));

const isActive = ({ expires_at, revoked_at }: Token) => revoked_at === null && Date.parse(expires_at) > Date.now();
const active = () => tokens.filter(isActive).map(({ id, owner }) => [id, usernames[owner]]);

const isSignedIn = (authorization: string | null) =>
  authorization?.startsWith('Basic ') === true ||
  tokens.some((token) => authorization === `Bearer mp_${token.id}` && isActive(token));

function createToken(owner: number, created: NewToken): object {
  const token = { ...created, id: tokens.length, owner, revoked_at: null };
  tokens.push(token);
  return { ...token, token: `mp_${token.id}` };
}

const change = (id: number, values: Partial<Token>) => {
  tokens = tokens.map((token) => (token.id === id ? { ...token, ...values } : token));
};

const expireToken = (id: number) => change(id, { expires_at: past });

/** Undefined if the token is not active, as the server answers 404. */
function revokeToken(id: number): object | undefined {
  const token = tokens.find((one) => one.id === id && isActive(one));
  if (token) change(id, { revoked_at: past });
  return token;
}

/** The response has the coordinator if it was created. */
function importConfig(): object {
  const created = hasCoordinator ? [] : [{}];
  hasCoordinator = true;
  return { users: created };
}

function answer(request: string, body: string): object | undefined {
  const [, method, owner, id] = /^(\w+) \/users\/(\d+)\/tokens\/?(\d+)?$/.exec(request) ?? [];
  if (method === 'DELETE') return revokeToken(Number(id));
  if (method === 'GET') return { tokens: tokens.filter((token) => token.owner === Number(owner)) };
  if (method === 'POST') return createToken(Number(owner), JSON.parse(body) as NewToken);
  return request.startsWith('POST ') ? importConfig() : { users };
}

const fail = (status: number) => Promise.resolve(Response.json({ status }, { status }));

const fakeFetch: typeof fetch = (url, { method = 'GET', headers, body } = {}) => {
  if (!isSignedIn(new Headers(headers).get('authorization'))) return fail(401);
  const found = answer(`${method} ${new URL(new Request(url).url).pathname}`, body as string);
  return found ? Promise.resolve(Response.json(found)) : fail(404);
};

const startAs = (admin: AccountsOptions['admin']) =>
  ensureAccounts({ baseUrl: 'http://localhost', file, admin, fetch: fakeFetch });
const start = () => startAs({ username: 'admin', password: 'secret' });

const storedCoordinator = async () => (JSON.parse(await readFile(file, 'utf8')) as { coordinator: string }).coordinator;

describe('the accounts of the demo', () => {
  it('have a token for each service account, which the next start uses', async () => {
    await start();
    expect(active()).toEqual([
      [0, 'importer'],
      [1, 'cluster'],
    ]);
    const { coordinator } = await startAs(undefined);
    expect(coordinator?.password).toBe(await storedCoordinator());
    expect(tokens.length).toBe(2);
  });

  it.each(usernames)('get a token for %s if it was revoked or expired, and keep the other one', async (username) => {
    const { coordinator } = await start();
    const lost = usernames.indexOf(username);
    const kept = [1 - lost, usernames[1 - lost]];
    revokeToken(lost);
    await start();
    expect(active()).toEqual([kept, [2, username]]);
    expireToken(2);
    await start();
    expect(active()).toEqual([kept, [3, username]]);
    expect(await storedCoordinator()).toBe(coordinator?.password);
  });

  it('have one active token each after the file was lost, besides tokens that the demo did not create', async () => {
    createToken(0, { name: 'Import of another program', expires_at: '2999-01-01T00:00:00Z' });
    await start();
    await rm(file);
    await start();
    expect(active()).toEqual([
      [0, 'importer'],
      [3, 'importer'],
      [4, 'cluster'],
    ]);
  });

  it('cannot be created without an administrator, and the error names the reason', async () => {
    await expect(startAs(undefined)).rejects.toThrow('to create its accounts. Set MILEPOST_ADMIN_PASSWORD');
    await start();
    expireToken(1);
    await expect(startAs(undefined)).rejects.toThrow('because it expired or was revoked');
  });

  it('can have passwords, which earlier versions stored', async () => {
    await start();
    await writeFile(file, JSON.stringify({ rater: 'a', loader: 'b', cluster: 'c' }));
    await startAs(undefined);
    expect(tokens.length).toBe(2);
  });
});
