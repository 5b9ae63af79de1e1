/**
 * Reading requires at least one known permission. Calls every GET operation as users and API tokens without one. The operations
 * that stay open are listed here and not derived from the table, so that a wrong access rule in the table fails.
 */
import { operations, permissions, type OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { None, type Expectation } from '../testing/cases/matrix.ts';
import { wholeMatrix } from '../testing/cases/whole-matrix.ts';
import { createWorld, type World } from '../testing/cases/world.ts';
import { startTestServer, type Parts, type TestServer } from '../testing/server.ts';
import { openSession } from '../testing/sessions.ts';
import { createTestToken } from '../testing/tokens.ts';

/** What a person needs to sign in and to see about themselves. */
const open: readonly OperationName[] = ['getSignInWays', 'getSession', 'listSessions'];
const openForOwnAccount: readonly OperationName[] = ['getUser', 'getUserRoles', 'getUserPermissions', 'listApiTokens'];

const reads = (Object.keys(operations) as OperationName[]).filter((name) => operations[name].method === 'GET');
const closed = reads.filter((name) => !open.includes(name) && !openForOwnAccount.includes(name));

interface Reader {
  id: number;
  parts: Parts;
}

let server: TestServer;
let world: World;
let readers: Readonly<Record<string, Reader>>;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
  readers = { ...(await createUsers()), ...(await createTokens()) };
});
afterAll(() => server.stop());

/** An import keeps unknown permissions, so a role can consist of them. */
const importRoles = () =>
  server.call('importConfig', {
    body: { config_definition: 'roles: [{name: empty}, {name: foreign, permissions: [sample_fly, toString]}]' },
  });

async function addUser(roles: string[]): Promise<Reader & { username: string }> {
  const username = world.fresh('reader').replace(' ', '_');
  return { id: await server.addUser(username, roles), username, parts: { as: username } };
}

async function createUsers(): Promise<Record<string, Reader>> {
  await importRoles();
  const inCohort = await addUser([]);
  const { id: cohort_id } = await world.cohort();
  await server.call('assignCohortRole', { params: { username: inCohort.username, role_name: 'foreign', cohort_id } });
  const inSession = await addUser(['foreign']);
  return {
    'without a role': await addUser([]),
    'with a role without permissions': await addUser(['empty']),
    'with unknown permissions': await addUser(['empty', 'foreign']),
    'with unknown permissions in a cohort': inCohort,
    'with unknown permissions and a session': {
      id: inSession.id,
      parts: (await openSession(server, inSession.username)).parts,
    },
  };
}

async function createTokens(): Promise<Record<string, Reader>> {
  const owner = await addUser(['admin']);
  const foreign = await createTestToken(server, owner, ['sample_add']);
  await server.sql(`update api_tokens set permissions = '{sample_fly,toString}' where id = $1`, [foreign.id]);
  const demoted = await addUser(['superuser']);
  const narrow = await createTestToken(server, demoted, ['sample_add']);
  await server.call('removeUserRole', { params: { username: demoted.username, role_name: 'superuser' } });
  await server.call('assignUserRole', { params: { username: demoted.username, role_name: 'user' } });
  return {
    'with a token without permissions': { id: owner.id, parts: (await createTestToken(server, owner)).parts },
    'with a token with unknown permissions': { id: owner.id, parts: foreign.parts },
    'with a token whose permissions the owner lacks': { id: demoted.id, parts: narrow.parts },
  };
}

/** The request of the first successful case of the operation. */
async function prepare(name: OperationName): Promise<Expectation> {
  const success = wholeMatrix[name]?.success;
  const [first] = success === undefined || success instanceof None ? [] : Object.values(success);
  if (!first) throw new Error(`${name} has no successful case`);
  return first(world);
}

const withHeaders = (request: Parts, { parts }: Reader): Parts => ({
  ...request,
  ...parts,
  headers: { ...request.headers, ...parts.headers },
});

/** The result for each reader: the status, followed by the code if the request was rejected. */
async function resultsOf(name: OperationName, requestFor: (reader: Reader) => Parts): Promise<Record<string, string>> {
  const results: Record<string, string> = {};
  for (const [who, reader] of Object.entries(readers)) {
    const { status, body } = await server.call(name, withHeaders(requestFor(reader), reader));
    results[who] = status < 400 ? String(status) : `${status} ${body.code}`;
  }
  return results;
}

const detailFor = async (who: string) =>
  (await server.call('listCohorts', withHeaders({}, readers[who] as Reader))).body.detail;

const forAll = (result: string) => Object.fromEntries(Object.keys(readers).map((who) => [who, result]));

describe('without a known permission', () => {
  it.each(closed)('%s returns 403', async (name) => {
    const { request } = await prepare(name);
    expect(await resultsOf(name, () => request)).toEqual(forAll('403 not_allowed'));
  });

  it.each(open)('%s stays open', async (name) => {
    const { request } = await prepare(name);
    expect(await resultsOf(name, () => request)).toEqual(forAll('200'));
  });

  it.each(openForOwnAccount)('%s stays open for the own account only', async (name) => {
    const { request } = await prepare(name);
    expect(await resultsOf(name, ({ id }) => ({ params: { id } }))).toEqual(forAll('200'));
    expect(await resultsOf(name, () => request)).toEqual(forAll('403 not_allowed'));
  });

  it('a user can change their name and sign out', async () => {
    const { id, username } = await addUser(['foreign']);
    const { parts } = await openSession(server, username);
    expect((await server.call('updateUser', { ...parts, params: { id }, body: { name: 'Me' } })).status).toBe(200);
    expect((await server.call('signOut', parts)).status).toBe(200);
    expect((await server.call('getSession', parts)).body.code).toBe('session_ended');
  });

  it('the problem says what is missing and whom to ask', async () => {
    expect(await detailFor('with unknown permissions')).toBe(
      'Your account has no permission to read study data. Ask an administrator to assign a role such as `user`.',
    );
    expect(await detailFor('with a token without permissions')).toBe(
      'This API token has no permission that its owner also has. Create a token with at least one permission, such as `user_read`.',
    );
  });
});

describe('with one known permission', () => {
  it.each(permissions)('%s, a user and a token can read', async (permission) => {
    const owner = await world.user(permission);
    const { parts } = await createTestToken(server, owner, [permission]);
    for (const caller of [parts, { as: owner.username }]) {
      expect((await server.call('listExperiments', caller)).status).toBe(200);
      expect((await server.call('listEvents', caller)).status).toBe(200);
    }
  });

  it('in a cohort, a user with unknown permissions for all cohorts reads only that cohort', async () => {
    const { username } = await addUser(['foreign']);
    const { id: cohort_id, label } = await world.cohort();
    await server.call('assignCohortRole', { params: { username, role_name: 'user', cohort_id } });
    const { body } = await server.call('listCohorts', { as: username });
    expect(body.cohorts).toMatchObject([{ id: cohort_id, label }]);
  });
});
