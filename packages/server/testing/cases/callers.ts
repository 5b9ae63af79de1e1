/** How each kind of caller of the table comes to the server: with the request of a success and credentials of its own. */
import type { BuiltInRole, CallerKind, Operation } from '@milepost/api';
import type { Parts } from '../server.ts';
import { openSession } from '../sessions.ts';
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
    'own account': async ({ expected: { request } }) => {
      const { id, username } = await people.withRoles([]);
      return { ...request, as: username, params: { ...request.params, id } };
    },
    "another's account": signedInAs(() => people.withRoles(['user'])),
    session: async (visit) => (await comeBySession(world, visit)).parts,
    'ended session': async (visit) => {
      const { session, parts } = await comeBySession(world, visit);
      await world.call('signOut', session.parts);
      return parts;
    },
    secret: bearing(secret),
    'wrong secret': bearing(wrong),
    "another's secret": bearing(others),
    'body secret': carrying(secret),
    'body wrong secret': carrying(wrong),
    "body another's secret": carrying(others),
  };
}

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
