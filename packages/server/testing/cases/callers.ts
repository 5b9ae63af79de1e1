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
type Whom = (visit: Visit) => Promise<{ username: string }>;

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
    'for its cohort': signedInAs(({ operation }) => people.havingForCohorts(operation.access, 'all')),
    'for another cohort': signedInAs(({ operation }) => people.havingForCohorts(operation.access, 'another')),
    'own account': async ({ expected: { request, below } }) => {
      const { id, username } = await people.withRoles([]);
      await below?.(id);
      return { ...request, as: username, params: { ...request.params, id } };
    },
    "another's account": signedInAs(() => people.withRoles(['user'])),
    session: async (visit) => (await comeBySession(world, visit)).parts,
    'ended session': async (visit) => {
      const { session, parts } = await comeBySession(world, visit);
      await world.call('signOut', session.parts);
      return parts;
    },
    ...createTokenApproaches(world),
    secret: bearing(secret),
    'wrong secret': bearing(wrong),
    "another's secret": bearing(others),
    'body secret': carrying(secret),
    'body wrong secret': carrying(wrong),
    "body another's secret": carrying(others),
  };
}

type TokenKind = Extract<CallerKind, `${string}token`>;

/** Each token is made once for each permission that is asked for. */
function createTokenApproaches(world: World): Readonly<Record<TokenKind, Approach>> {
  const { people } = world;
  const made = new Map<string, Promise<string>>();
  const once = (kind: string, make: TokenMaking) => async (visit: Visit) => {
    const key = `${kind} ${neededBy(visit.operation) ?? ''}`;
    if (!made.has(key)) made.set(key, make(visit));
    return (await made.get(key)) ?? '';
  };
  const admins = () => openTokenOf(world, people.withRoles(['admin']), permissions);
  const bringing = (kind: string, make: TokenMaking) => bearing(once(kind, make));
  return {
    token: bringing('token', async ({ operation }) => {
      const permission = neededBy(operation);
      return (await openTokenOf(world, people.having(operation.access), permission ? [permission] : [])).token;
    }),
    'narrow token': bringing('narrow', async ({ operation }) => {
      const others = permissions.filter((permission) => permission !== neededBy(operation));
      return (await openTokenOf(world, people.withRoles(['admin']), others)).token;
    }),
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

interface Owner {
  id: number;
  username: string;
}

const neededBy = ({ access }: Operation): Permission | undefined =>
  'permission' in access ? access.permission : undefined;

const signedInAs =
  (whom: Whom): Approach =>
  async (visit) => ({ ...visit.expected.request, as: (await whom(visit)).username });

/** A new session each time: signing out is among what is asked. */
async function comeBySession(world: World, { operation, expected }: Visit) {
  const { username } = await world.people.having(operation.access);
  await expected.ownedBy?.(username);
  const session = await openSession(world, username);
  const { request } = expected;
  const headers = { ...request.headers, ...session.parts.headers };
  return { session, parts: { ...request, as: null, headers } };
}

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
