/** Builds the request of each kind of caller: a successful request, sent with the credentials of that caller. */
import type { BuiltInRole, CallerKind } from '../../../api/testing/callers.ts';
import { permissions, type Operation, type Permission } from '@milepost/api';
import type { Parts } from '../server.ts';
import { openSession } from '../sessions.ts';
import { createTestToken, expireToken, wrongToken } from '../tokens.ts';
import { execution } from './callbacks.ts';
import type { Expectation } from './matrix.ts';
import type { World } from './world.ts';

interface Target {
  operation: Operation;
  expected: Expectation;
}

type BuildRequest = (target: Target) => Promise<Parts>;
type FindUser = (target: Target) => Promise<Owner>;
interface Owner {
  id: number;
  username: string;
}

/** Does not compile if a kind of caller is missing. */
export function createRequestBuilders(world: World): Readonly<Record<CallerKind, BuildRequest>> {
  const { callers } = world;
  const role = (name: BuiltInRole) => withPassword(() => callers.withRoles([name]));
  const secret: Secret = (target) =>
    target.operation.access.kind === 'execution' ? world.secretOf(executionOf(target.expected)) : others(target);
  let other: Promise<string> | undefined;
  const others: Secret = () => (other ??= execution(world).then(({ id }) => world.secretOf(id)));
  return {
    anonymous: async ({ expected: { request } }) => ({ ...request, as: null }),
    // A new account each time, because an account is locked after ten failures.
    inactive: withPassword(() => world.inactiveAdmin()),
    'without role': withPassword(() => callers.withRoles([])),
    user: role('user'),
    superuser: role('superuser'),
    admin: role('admin'),
    'required permission': withPassword(({ operation }) => callers.withPermission(operation.access)),
    'all other permissions': withPassword(({ operation }) => callers.withoutPermission(operation.access)),
    'for its cohort': withPassword(forCohorts(world, 'all')),
    'for another cohort': withPassword(forCohorts(world, 'another')),
    'own account': async ({ expected: { request, moveToUser } }) => {
      const { id, username } = await callers.withRoles([]);
      await moveToUser?.(id);
      return { ...request, as: username, params: { ...request.params, id } };
    },
    'another account': withPassword(() => callers.withRoles(['user'])),
    ...createSessionRequests(world),
    ...createTokenRequests(world),
    secret: withBearer(secret),
    'wrong secret': withBearer(wrong),
    "another execution's secret": withBearer(others),
    'body with secret': withBodySecret(secret),
    'body with wrong secret': withBodySecret(wrong),
    "body with another execution's secret": withBodySecret(others),
  };
}

/** For the cohorts that exist at the time of the request. */
const forCohorts =
  ({ callers }: World, which: 'all' | 'another'): FindUser =>
  ({ operation }) =>
    callers.withPermissionForCohorts(operation.access, which);

/** Creates one value for each name. */
function createCache<T>() {
  const made = new Map<string, Promise<T>>();
  return (name: string, make: () => Promise<T>): Promise<T> => {
    const known = made.get(name) ?? make();
    made.set(name, known);
    return known;
  };
}

type SessionKind = Extract<CallerKind, `${string}session${string}`>;

/** Each user signs in once, but operations on sessions get a new session for each request. */
function createSessionRequests(world: World): Readonly<Record<SessionKind, BuildRequest>> {
  const open = (username: string) => openSession(world, username);
  const openAndEnd = async (username: string) => {
    const session = await open(username);
    await world.call('signOut', session.parts);
    return session;
  };
  const withSession = (findUser: FindUser, signIn = open): BuildRequest => {
    const once = createCache<Awaited<ReturnType<typeof open>>>();
    return async (target) => {
      const { request, makeOwnedBy } = target.expected;
      const { username } = await findUser(target);
      await makeOwnedBy?.(username);
      const isSessionOperation = ['public', 'account'].includes(target.operation.access.kind);
      const { parts } = await (isSessionOperation ? signIn(username) : once(username, () => signIn(username)));
      return { ...request, as: null, headers: { ...request.headers, ...parts.headers } };
    };
  };
  const justEnough: FindUser = ({ operation }) => world.callers.withPermission(operation.access);
  return {
    session: withSession(justEnough),
    'session for its cohort': withSession(forCohorts(world, 'all')),
    'session for another cohort': withSession(forCohorts(world, 'another')),
    'ended session': withSession(justEnough, openAndEnd),
  };
}

type TokenKind = Extract<CallerKind, `${string}token${string}`>;

/** Creates each kind of token once for each required permission. */
function createTokenRequests(world: World): Readonly<Record<TokenKind, BuildRequest>> {
  const { callers } = world;
  const once = createCache<string>();
  const withToken = (kind: string, create: CreateToken) =>
    withBearer((target) => once(`${kind} ${requiredBy(target.operation) ?? ''}`, () => create(target)));
  const createAdminToken = () => createTokenFor(world, callers.withRoles(['admin']), permissions);
  /** Looks up the owner each time, because their roles grow with the number of cohorts. */
  const ownedToken =
    (kind: string, findUser: FindUser, granted: typeof onlyRequired): BuildRequest =>
    async (target) => {
      const owner = findUser(target);
      const { username } = await owner;
      await target.expected.makeOwnedBy?.(username);
      const create = async () => (await createTokenFor(world, owner, granted(target.operation))).token;
      return withToken(kind, create)(target);
    };
  return {
    token: ownedToken('token', ({ operation }) => callers.withPermission(operation.access), onlyRequired),
    'narrow token': ownedToken('narrow', () => callers.withRoles(['admin']), allButRequired),
    'token for its cohort': ownedToken('its', forCohorts(world, 'all'), onlyRequired),
    'token for another cohort': ownedToken('another', forCohorts(world, 'another'), onlyRequired),
    'narrow token for its cohort': ownedToken('narrow its', () => callers.adminForCohorts(), allButRequired),
    'empty token': ownedToken(
      'empty',
      () => callers.withRoles(['admin']),
      () => [],
    ),
    'own token': async (target) => {
      const { id } = await callers.withRoles(['admin']);
      await target.expected.moveToUser?.(id);
      const parts = await withToken(
        'own',
        async () => (await createTokenFor(world, callers.withRoles(['admin']))).token,
      )(target);
      return { ...parts, params: { ...parts.params, id } };
    },
    'expired token': withToken('expired', async () => {
      const { id, token } = await createAdminToken();
      await expireToken(world, id);
      return token;
    }),
    'revoked token': withToken('revoked', async () => {
      const { id, token, owner } = await createAdminToken();
      await world.call('revokeApiToken', { params: { id: owner.id, token_id: id } });
      return token;
    }),
    "inactive owner's token": withToken('inactive', async () => {
      const owner = await world.user(...permissions);
      const { token } = await createTestToken(world, owner, permissions);
      await world.sql('update users set active = false where id = $1', [owner.id]);
      return token;
    }),
    'wrong token': withBearer(async () => wrongToken),
  };
}

type CreateToken = (target: Target) => Promise<string>;

async function createTokenFor(world: World, pendingOwner: Promise<Owner>, granted: readonly Permission[] = []) {
  const owner = await pendingOwner;
  return { owner, ...(await createTestToken(world, owner, granted)) };
}

const requiredBy = ({ access }: Operation): Permission | undefined =>
  'permission' in access ? access.permission : undefined;

/** Where any permission is enough, the one of the role `user`. */
const onlyRequired = (operation: Operation): readonly Permission[] => [requiredBy(operation) ?? 'user_read'];

const allButRequired = (operation: Operation): readonly Permission[] =>
  permissions.filter((permission) => permission !== requiredBy(operation));

const withPassword =
  (findUser: FindUser): BuildRequest =>
  async (target) => ({ ...target.expected.request, as: (await findUser(target)).username });

type Secret = (target: Target) => Promise<string>;

const wrong: Secret = async () => 'bm90IHRoZSBzZWNyZXQgb2YgYW55IGF0dGVtcHQgaGVyZQ';

const executionOf = ({ request: { params = {} } }: Expectation) => Number(params['execution_id'] ?? params['id']);

const withBearer =
  (secret: Secret): BuildRequest =>
  async (target) => {
    const { request } = target.expected;
    return { ...request, as: null, headers: { ...request.headers, authorization: `Bearer ${await secret(target)}` } };
  };

const withBodySecret =
  (secret: Secret): BuildRequest =>
  async (target) => {
    const { request } = target.expected;
    return { ...request, as: null, body: { ...(request.body as object), secret_key: await secret(target) } };
  };
