/**
 * API tokens: creation, storage, expiry and revocation. The token itself is never stored.
 *
 * @module-tag sql
 */
import { createHash } from 'node:crypto';
import { get } from 'node:http';
import { basic, bearer, tokenPrefix } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execution } from '../../../testing/cases/callbacks.ts';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { sentPlan, statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, testPassword, type Parts, type TestServer } from '../../../testing/server.ts';
import { openSession } from '../../../testing/sessions.ts';
import { expireToken, inDays, createTestToken, tokenParts, wrongToken } from '../../../testing/tokens.ts';
import { dumpAll } from '../../../testing/rows/whole-dump.ts';

let server: TestServer;
let world: World;
let log = '';
beforeAll(async () => {
  server = await startTestServer({ logTo: { write: (line: string) => void (log += line) } });
  world = createWorld(server);
});
afterAll(() => server.stop());

const wanted = { name: 'Import', permissions: [], expires_at: inDays(1) };
const codeOf = async (parts: Parts): Promise<string> => {
  const { status, body } = await server.call('getSession', parts);
  return status === 200 ? 'open' : body.code;
};
const person = async () => {
  const owner = await world.user('sample_add');
  return { owner, ...(await createTestToken(world, owner, ['sample_add'])) };
};
const shown = async (userId: number) => (await server.call('listApiTokens', { params: { id: userId } })).body.tokens;

describe('a new token', () => {
  it('has 256 random bits, is stored only as a SHA-256 hash and is returned once', async () => {
    const { id, username } = await world.user();
    const answer = await server.call('createApiToken', { as: username, params: { id }, body: wanted });
    const { token } = answer.body;
    expect(token).toMatch(/^mp_[\w-]{43}$/);
    expect(Buffer.from(token.slice(tokenPrefix.length), 'base64url')).toHaveLength(32);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const rows = await server.sql('select token_hash from api_tokens where user_id = $1', [id]);
    expect(rows).toEqual([{ token_hash: createHash('sha256').update(token).digest() }]);
    expect(JSON.stringify(await shown(id))).not.toContain(token.slice(3));
  });

  it('is created again when a request with an idempotency key is repeated', async () => {
    const { id, username } = await world.user();
    const headers = { 'idempotency-key': 'the same' };
    const make = () => server.call('createApiToken', { as: username, params: { id }, body: wanted, headers });
    const [first, second] = [await make(), await make()];
    expect(first.body.token).not.toBe(second.body.token);
    expect(await server.sql(`select from idempotency_keys where key = 'the same'`)).toEqual([]);
  });

  it('is created by only one of eight concurrent requests if the user has 99 active tokens', async () => {
    const { id, username } = await world.user();
    await server.sql(
      `insert into api_tokens (user_id, token_hash, name, permissions, expires_at, revoked_at)
       select $1::bigint, sha256(($1::bigint || ' ' || n)::bytea), 'x', '{}', now() + interval '1 day',
         case when n > 99 then now() end from generate_series(1, 120) n`,
      [id],
    );
    const asked = Array.from({ length: 8 }, () =>
      server.call('createApiToken', { as: username, params: { id }, body: wanted }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(7);
  });

  it('is recorded in the history of its account without its text, and so is its revocation', async () => {
    const { owner, id } = await person();
    await server.call('revokeApiToken', { as: owner.username, params: { id: owner.id, token_id: id } });
    const rows = await server.sql<{ operation: string }>(
      `select operation, actor_id::int, before, after from history_with_values
       where object_kind = 'user' and object_id = $1 and operation like '%ApiToken' order by id`,
      [owner.id],
    );
    expect(rows).toEqual([
      {
        operation: 'createApiToken',
        actor_id: owner.id,
        before: null,
        after: { token_id: id, name: 'test token', permissions: ['sample_add'], expires_at: expect.any(String) },
      },
      { operation: 'revokeApiToken', actor_id: owner.id, before: { token_id: id, name: 'test token' }, after: null },
    ]);
  });
});

describe('a request with a token', () => {
  it('to GET /session returns the token and its owner', async () => {
    const { owner, id, parts } = await person();
    expect((await server.call('getSession', parts)).body).toMatchObject({
      id: null,
      user: { id: owner.id, username: owner.username },
      permissions: ['sample_add'],
      expires_at: null,
      token: { id, name: 'test token', expires_at: expect.any(String) },
    });
    expect((await server.call('getSession', { as: owner.username })).body.token).toBeNull();
  });

  it('is recorded under the owner of the token and logged with the id of the token', async () => {
    const { owner, id, parts } = await person();
    const { body, headers } = await server.call('createCohort', { ...parts, body: { label: 'by a token' } });
    const rows = await server.sql(
      `select actor_kind, actor_id::int from history where object_kind = 'cohort' and object_id = $1 and request_id = $2`,
      [body.id, headers.get('x-request-id')],
    );
    expect(rows).toEqual([{ actor_kind: 'user', actor_id: owner.id }]);
    const lines = log.split('\n').filter((line) => line.includes(headers.get('x-request-id') ?? 'none'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ user_id: owner.id, token_id: id }]);
  });

  it('reads token, user, roles and permissions in one statement through the hash index', async () => {
    const { parts } = await person();
    await server.call('getSession', parts);
    const sent = await statementsDuring(() => server.call('listCohorts', parts), /api_tokens|from "users"/);
    expect(sent).toHaveLength(1);
    const [{ text, values } = { text: '', values: [] }] = sent;
    const hash = values.map((value) => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value));
    await server.sql(
      `insert into api_tokens (user_id, token_hash, name, permissions, expires_at)
       select 1, sha256(n::text::bytea), 'x', '{}', now() + interval '1 day' from generate_series(1, 5000) n`,
    );
    await server.sql('analyze api_tokens');
    const plan = await sentPlan(server, { text, values: hash }, 'force_generic_plan');
    expect(plan.map((node) => node['Index Name'])).toContain('api_tokens_token_hash_unique');
    await server.sql('delete from api_tokens where user_id = 1');
  });

  it('needs no Sec-Fetch-Site header, but is rejected from a page of another site', async () => {
    const { parts } = await person();
    const create = (headers: Record<string, string>) =>
      server.call('createCohort', {
        ...parts,
        body: { label: world.fresh('cohort') },
        headers: { ...parts.headers, ...headers },
      });
    expect((await create({})).status).toBe(201);
    expect((await create({ 'sec-fetch-site': 'cross-site' })).body.code).toBe('cross_site');
  });

  it('acts as the owner of the token, even if it has the cookie of another user', async () => {
    const { owner, parts } = await person();
    const session = await openSession(server, (await world.user()).username);
    const both = { ...parts, headers: { ...session.parts.headers, ...parts.headers } };
    expect((await server.call('getSession', both)).body).toMatchObject({ id: null, user: { id: owner.id } });
  });

  it('can have the Bearer scheme in lower case', async () => {
    const { token } = await person();
    expect(await codeOf({ as: null, headers: { authorization: `bearer  ${token} ` } })).toBe('open');
  });
});

const lastUse = async (id: number) => (await shown(id))[0].last_used_at as string | null;
const setLastUse = (id: number, time: string) =>
  server.sql(
    `update api_tokens set created_at = created_at - interval '1 hour', last_used_at = now() - $2::interval where id = $1`,
    [id, time],
  );

describe('the last use of a token', () => {
  it('is stored at most once a minute', async () => {
    const { owner, id, parts } = await person();
    expect(await lastUse(owner.id)).toBeNull();
    await codeOf(parts);
    expect(await lastUse(owner.id)).not.toBeNull();
    // In the future, so that the minute has not passed when the request arrives.
    await setLastUse(id, '-5 minutes');
    const stored = await lastUse(owner.id);
    await codeOf(parts);
    expect(await lastUse(owner.id)).toBe(stored);
    await setLastUse(id, '61 seconds');
    const outdated = await lastUse(owner.id);
    await codeOf(parts);
    expect(Date.parse((await lastUse(owner.id)) ?? '')).toBeGreaterThan(Date.parse(outdated ?? ''));
  });

  it('is not stored for an expired token', async () => {
    const { owner, id, parts } = await person();
    await expireToken(server, id);
    expect(await codeOf(parts)).toBe('token_ended');
    expect(await lastUse(owner.id)).toBeNull();
  });
});

const refusalOf = async (token: string) => {
  const response = await server.call('listCohorts', tokenParts(token));
  return { status: response.status, code: response.body.code, detail: response.body.detail as string };
};

const like = (text: string) => expect.stringMatching(new RegExp(text));

describe('an invalid token', () => {
  it('is rejected with the reason if it is expired, is revoked or belongs to an inactive account', async () => {
    const [expired, revoked, inactive] = [await person(), await person(), await person()];
    await expireToken(server, expired.id);
    await server.call('revokeApiToken', { params: { id: revoked.owner.id, token_id: revoked.id } });
    await server.sql('update users set active = false where id = $1', [inactive.owner.id]);
    const ended = { status: 401, code: 'token_ended' };
    const time = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
    expect(await refusalOf(expired.token)).toEqual({ ...ended, detail: like(`expired at ${time}`) });
    expect(await refusalOf(revoked.token)).toEqual({ ...ended, detail: like(`revoked at ${time}`) });
    expect(await refusalOf(inactive.token)).toEqual({ ...ended, detail: like('is deactivated') });
  });

  it.each([
    ['was never created', wrongToken],
    ['has only the prefix', 'mp_'],
    ['has 5,003 characters', `mp_${'A'.repeat(5000)}`],
    ['has an encoded NUL character', 'mp_%00'],
  ])('is rejected as unknown if it %s', async (_what, token) => {
    expect(await refusalOf(token)).toEqual({
      status: 401,
      code: 'wrong_credentials',
      detail: 'This API token does not exist.',
    });
  });

  it('causes a Bearer challenge, but does not count as a failed sign-in', async () => {
    const { owner } = await person();
    for (let count = 0; count < 15; count++) await refusalOf(wrongToken);
    expect(await codeOf({ as: owner.username })).toBe('open');
    // Does not use fetch, which sends Sec-Fetch-Mode like a browser.
    const challenge = await new Promise((resolve) => {
      const headers = { authorization: bearer(wrongToken) };
      get(`${server.baseUrl}/cohorts`, { headers, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.headers['www-authenticate']);
      });
    });
    expect(challenge).toBe('Bearer realm="Milepost", error="invalid_token"');
  });
});

describe('an account without a password', () => {
  it('can sign in only with tokens until it gets a password', async () => {
    const body = { username: 'robot', email: 'robot@example.org', name: 'Importer' };
    const { status, body: user } = await server.call('createUser', { body });
    expect(status).toBe(201);
    expect(await server.sql('select password_hash from users where id = $1', [user.id])).toEqual([
      { password_hash: null },
    ]);
    const wrong = { status: 401, body: { code: 'wrong_credentials' } };
    for (const password of ['', 'null', 'undefined', testPassword]) {
      const headers = { authorization: basic('robot', password) };
      expect(await server.call('listCohorts', { as: null, headers })).toMatchObject(wrong);
    }
    expect(await server.call('signIn', { as: null, body: { username: 'robot', password: 'null' } })).toMatchObject(
      wrong,
    );
    const made = await server.call('createApiToken', {
      params: { id: user.id },
      body: { ...wanted, permissions: ['user_read'] },
    });
    expect((await server.call('listCohorts', tokenParts(made.body.token))).status).toBe(200);
    await server.call('updateUser', { params: { id: user.id }, body: { password: testPassword } });
    expect((await server.call('listCohorts', { as: 'robot' })).status).toBe(200);
  });
});

describe('the text of a token', () => {
  it('differs in its prefix from the secret of an attempt', async () => {
    const { id } = await execution(world);
    const secret = await world.secretOf(id);
    expect(secret.startsWith(tokenPrefix)).toBe(false);
    expect(secret).toMatch(/^mpe_/);
  });

  it('appears in no log, table or response except the response that created the token', async () => {
    const { owner, id, token, parts } = await person();
    const headers = { ...parts.headers, 'idempotency-key': 'with a token' };
    const answers = [
      await server.call('createCohort', { ...parts, headers, body: { label: world.fresh('cohort') } }),
      await server.call('getSession', parts),
      await server.call('createApiToken', { ...parts, params: { id: owner.id }, body: wanted }),
      await server.call('listUsers', parts),
      await server.call('listApiTokens', { ...parts, params: { id: owner.id } }),
      await server.call('revokeApiToken', { params: { id: owner.id, token_id: id } }),
      await server.call('listCohorts', parts),
      await server.call('listAudit', { query: { limit: 1000 } }),
    ];
    const random = token.slice(tokenPrefix.length);
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(random);
    expect(log).not.toContain(random);
    const dump = await dumpAll(server.testDatabase.ownerUrl);
    expect(dump).toContain(createHash('sha256').update(token).digest('hex'));
    expect(dump).not.toContain(random);
    expect(dump).not.toContain(Buffer.from(random).toString('hex'));
  });
});
