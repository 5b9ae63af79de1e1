/** Idempotency-Key on requests with a password: nothing stored helps to guess it, and hashing keeps no transaction open. */
import { createHash, randomUUID } from 'node:crypto';
import { operations } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';
import { openSession } from '../../testing/sessions.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const hashOf = async (key: string) => {
  const query = `select encode(request_hash, 'hex') as hash from idempotency_keys where key = $1`;
  return (await server.sql<{ hash: string }>(query, [key]))[0]?.hash;
};

const sentence = (n: number) => `blue herons over lake ${n}`;
const file = (username: string, password: string) =>
  `users: [{username: ${username}, email: ${username}@example.org, password: ${password}, roles: [user]}]`;
const bodies = {
  createUser: (name: string, password: string) => ({ username: name, email: `${name}@example.org`, password }),
  updateUser: (_name: string, password: string) => ({ password }),
  overwriteConfig: (name: string, password: string) => ({ config_definition: file(name, password) }),
};

const withPassword = Object.keys(bodies) as (keyof typeof bodies)[];

/** Sends the operation for its own user, with a password and a key. */
async function senderOf(operation: keyof typeof bodies, name: string) {
  const id = await server.addUser(`changed_by_${name}`, ['user']);
  const body = (password: string) => bodies[operation](name, password);
  const send = (password: string, key: string) =>
    server.call(operation, {
      ...(operation === 'updateUser' && { params: { id } }),
      body: body(password),
      headers: { 'idempotency-key': key },
    });
  return { id, body, send };
}

describe('a request with an Idempotency-Key and a password', () => {
  it.each(withPassword)(
    'to %s stores no fast hash of the password, and its key is rejected with another password',
    async (operation) => {
      const { id, body, send } = await senderOf(operation, `of_${operation}`);
      const [key, other] = [randomUUID(), randomUUID()];
      const { method, path } = operations[operation];
      const first = await send(sentence(1), key);
      expect(first.status).toBeLessThan(300);
      const url = `/api/v2${path.replace('{id}', String(id))}`;
      const parts = [method, url, '', JSON.stringify(body(sentence(1)))].join('\0');
      expect(await hashOf(key)).not.toBe(createHash('sha256').update(parts).digest('hex'));
      const again = await send(sentence(1), key);
      expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
      expect((await send(sentence(2), key)).body.code).toBe('key_reused');
      if (operation === 'createUser') return;
      await send(sentence(1), other);
      expect(await hashOf(other)).not.toBe(await hashOf(key));
    },
  );

  it.each(withPassword)('to %s hashes the password while no transaction is open', async (operation) => {
    const { send } = await senderOf(operation, `hashed_by_${operation}`);
    const watched = await openDuring('hash', () => send(sentence(1), randomUUID()));
    expect(watched.response.status).toBeLessThan(300);
    expect(watched.open).toEqual([0]);
  });

  it('checks the current password while no transaction is open, and not again when the request is repeated', async () => {
    const userId = await server.addUser('verifier', ['user']);
    const { parts } = await openSession(server, 'verifier');
    const headers = { ...parts.headers, 'idempotency-key': randomUUID() };
    const body = { email: 'verifier@example.com', current_password: testPassword };
    const send = () => server.call('updateUser', { ...parts, headers, params: { id: userId }, body });
    const store = async (password: string) =>
      server.sql('update users set password_hash = $2 where id = $1', [userId, await server.passwords.hash(password)]);
    // Stores another hash, because the check at sign-in is cached with the old one.
    await store(testPassword);
    const first = await openDuring('verify', send);
    expect([first.response.status, first.open]).toEqual([200, [0]]);
    await store(sentence(3));
    expect((await send()).body).toEqual(first.response.body);
  });

  it('gets the stored response when it is repeated, even if it would now be rejected', async () => {
    const key = randomUUID();
    const headers = { 'idempotency-key': key };
    await server.addUser('renamed_since', ['user']);
    const config_definition = 'users: [{username: renamed_since, email: renamed_since@example.org, roles: [user]}]';
    const send = () => server.call('overwriteConfig', { headers, body: { config_definition } });
    const first = await send();
    expect(first.status).toBe(200);
    await server.sql(
      `update users set username = 'x', username_key = 'x', email = 'x@y', email_key = 'x@y' where username = 'renamed_since'`,
    );
    expect((await server.call('overwriteConfig', { body: { config_definition } })).status).toBe(400);
    expect((await send()).body).toEqual(first.body);
  });
});

/** The number of open transactions at each call of the password function. */
async function openDuring<A>(work: 'hash' | 'verify', send: () => Promise<A>) {
  const open: number[] = [];
  const real: (...given: never[]) => Promise<unknown> = server.passwords[work];
  const spy = vi.spyOn(server.passwords, work).mockImplementation(async (...given: unknown[]) => {
    open.push(await server.openTransactions());
    return (await real(...(given as never[]))) as never;
  });
  try {
    return { response: await send(), open };
  } finally {
    spy.mockRestore();
  }
}
