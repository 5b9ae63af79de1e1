/** How each kind of caller of the table comes to the server: with the request of a success and credentials of its own. */
import { permissions, type BuiltInRole, type CallerKind, type Operation, type Permission } from '@milepost/api';
import type { Parts } from '../server.ts';
import { openSession } from '../sessions.ts';
import { expireToken, openToken, wrongToken } from '../tokens.ts';
import { execution } from './callbacks.ts';
import type { Expectation } from './matrix.ts';
import type { World } from './world.ts';

interface Visit {
  operation: Operation;
  expected: Expectation;
}

type Approach = (visit: Visit) => Promise<Parts>;
type Whom = (visit: Visit) => Promise<Owner>;
interface Owner {
  id: number;
  username: string;
}

/** A kind of caller without an entry does not compile. */
export function createApproaches(world: World): Readonly<Record<CallerKind, Approach>> {
  const { people } = world;
  const role = (name: BuiltInRole) => signedInAs(() => people.withRoles([name]));
  const secret: Secret = (visit) =>
    visit.operation.access.kind === 'execution' ? world.secretOf(executionOf(visit.expected)) : others(visit);
  let other: Promise<string> | undefined;
  const others: Secret = () => (other ??= execution(world).then(({ id }) => world.secretOf(id)));
  return {
    anonymous: async ({ expected: { request } }) => ({ ...request, as: null }),
    // A new one each time: after ten failures an account is closed, which is another answer.
    inactive: signedInAs(() => world.inactiveAdmin()),
    'without role': signedInAs(() => people.withRoles([])),
    user: role('user'),
    superuser: role('superuser'),
    admin: role('admin'),
    'just enough': signedInAs(({ operation }) => people.having(operation.access)),
    'all but that': signedInAs(({ operation }) => people.lacking(operation.access)),
    'for its cohort': signedInAs(forCohorts(world, 'all')),
    'for another cohort': signedInAs(forCohorts(world, 'another')),
    'own account': async ({ expected: { request, below } }) => {
      const { id, username } = await people.withRoles([]);
      await below?.(id);
      return { ...request, as: username, params: { ...request.params, id } };
    },
    "another's account": signedInAs(() => people.withRoles(['user'])),
    ...createSessionApproaches(world),
    ...createTokenApproaches(world),
    secret: bearing(secret),
    'wrong secret': bearing(wrong),
    "another's secret": bearing(others),
    'body secret': carrying(secret),
    'body wrong secret': carrying(wrong),
    "body another's secret": carrying(others),
  };
}

/** For cohorts that are there when the request is made. */
const forCohorts =
  ({ people }: World, which: 'all' | 'another'): Whom =>
  ({ operation }) =>
    people.havingForCohorts(operation.access, which);

/** Remembers what was made under each name. */
function remembering<T>() {
  const made = new Map<string, Promise<T>>();
  return (name: string, make: () => Promise<T>): Promise<T> => {
    const known = made.get(name) ?? make();
    made.set(name, known);
    return known;
  };
}

type SessionKind = Extract<CallerKind, `${string}session${string}`>;

/** Somebody signs in once; what signs in or out, or ends sessions, gets a new one each time. */
function createSessionApproaches(world: World): Readonly<Record<SessionKind, Approach>> {
  const open = (username: string) => openSession(world, username);
  const openAndEnd = async (username: string) => {
    const session = await open(username);
    await world.call('signOut', session.parts);
    return session;
  };
  const entering = (whom: Whom, enter = open): Approach => {
    const once = remembering<Awaited<ReturnType<typeof open>>>();
    return async (visit) => {
      const { request, ownedBy } = visit.expected;
      const { username } = await whom(visit);
      await ownedBy?.(username);
      const isOfSessions = ['public', 'account'].includes(visit.operation.access.kind);
      const { parts } = await (isOfSessions ? enter(username) : once(username, () => enter(username)));
      return { ...request, as: null, headers: { ...request.headers, ...parts.headers } };
    };
  };
  const justEnough: Whom = ({ operation }) => world.people.having(operation.access);
  return {
    session: entering(justEnough),
    'session for its cohort': entering(forCohorts(world, 'all')),
    'session for another cohort': entering(forCohorts(world, 'another')),
    'ended session': entering(justEnough, openAndEnd),
  };
}

type TokenKind = Extract<CallerKind, `${string}token${string}`>;

/** Each token is made once for each permission that is asked for. */
function createTokenApproaches(world: World): Readonly<Record<TokenKind, Approach>> {
  const { people } = world;
  const once = remembering<string>();
  const bringing = (kind: string, make: TokenMaking) =>
    bearing((visit) => once(`${kind} ${neededBy(visit.operation) ?? ''}`, () => make(visit)));
  const admins = () => openTokenOf(world, people.withRoles(['admin']), permissions);
  /** The owner first, each time: what they have grows with the cohorts. */
  const ofOwner =
    (kind: string, whom: Whom, granted: typeof justThat): Approach =>
    async (visit) => {
      const owner = whom(visit);
      await owner;
      const make = async () => (await openTokenOf(world, owner, granted(visit.operation))).token;
      return bringing(kind, make)(visit);
    };
  return {
    token: ofOwner('token', ({ operation }) => people.having(operation.access), justThat),
    'narrow token': ofOwner('narrow', () => people.withRoles(['admin']), allButThat),
    'token for its cohort': ofOwner('its', forCohorts(world, 'all'), justThat),
    'token for another cohort': ofOwner('another', forCohorts(world, 'another'), justThat),
    'narrow token for its cohort': ofOwner('narrow its', () => people.adminForCohorts(), allButThat),
    'own token': async (visit) => {
      const { id } = await people.withRoles(['admin']);
      await visit.expected.below?.(id);
      const parts = await bringing(
        'own',
        async () => (await openTokenOf(world, people.withRoles(['admin']))).token,
      )(visit);
      return { ...parts, params: { ...parts.params, id } };
    },
    'expired token': bringing('expired', async () => {
      const { id, token } = await admins();
      await expireToken(world, id);
      return token;
    }),
    'revoked token': bringing('revoked', async () => {
      const { id, token, owner } = await admins();
      await world.call('revokeApiToken', { params: { id: owner.id, token_id: id } });
      return token;
    }),
    "inactive owner's token": bringing('inactive', async () => {
      const owner = await world.user(...permissions);
      const { token } = await openToken(world, owner, permissions);
      await world.sql('update users set active = false where id = $1', [owner.id]);
      return token;
    }),
    'wrong token': bearing(async () => wrongToken),
  };
}

type TokenMaking = (visit: Visit) => Promise<string>;

async function openTokenOf(world: World, owning: Promise<Owner>, granted: readonly Permission[] = []) {
  const owner = await owning;
  return { owner, ...(await openToken(world, owner, granted)) };
}

const neededBy = ({ access }: Operation): Permission | undefined =>
  'permission' in access ? access.permission : undefined;

const justThat = (operation: Operation): readonly Permission[] =>
  permissions.filter((permission) => permission === neededBy(operation));

const allButThat = (operation: Operation): readonly Permission[] =>
  permissions.filter((permission) => permission !== neededBy(operation));

const signedInAs =
  (whom: Whom): Approach =>
  async (visit) => ({ ...visit.expected.request, as: (await whom(visit)).username });

type Secret = (visit: Visit) => Promise<string>;

const wrong: Secret = async () => 'bm90IHRoZSBzZWNyZXQgb2YgYW55IGF0dGVtcHQgaGVyZQ';

const executionOf = ({ request: { params = {} } }: Expectation) => Number(params['execution_id'] ?? params['id']);

const bearing =
  (secret: Secret): Approach =>
  async (visit) => {
    const { request } = visit.expected;
    return { ...request, as: null, headers: { ...request.headers, authorization: `Bearer ${await secret(visit)}` } };
  };

const carrying =
  (secret: Secret): Approach =>
  async (visit) => {
    const { request } = visit.expected;
    return { ...request, as: null, body: { ...(request.body as object), secret_key: await secret(visit) } };
  };
