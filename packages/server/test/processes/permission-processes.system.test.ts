/**
 * Two servers on one database: a change of a user's permissions on one applies to the user's next request on the other, with
 * every authentication method.
 */
import { basic, bearer, createClient } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess } from '../../testing/processes/server-process.ts';
import { testPassword } from '../../testing/server.ts';
import { sameOriginHeaders } from '../../testing/sessions.ts';
import { startTwoServers } from '../../testing/processes/two-servers.ts';
import { inDays } from '../../testing/tokens.ts';

let one: ServerProcess;
let other: ServerProcess;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ one, other, stop } = await startTwoServers());
});
afterAll(() => stop());

/** Uses the second server. */
const admin = () => createClient({ baseUrl: other.baseUrl, authorization: basic('admin', testPassword) });

const methods = ['Basic', 'cookie', 'token'] as const;
type Method = (typeof methods)[number];
type Headers = Record<string, string>;

let userCount = 0;
/** A user with the role superuser, signed in at the first server, with the headers of each authentication method. */
async function createUser() {
  const username = `user${++userCount}`;
  const body = { username, email: `${username}@example.org`, password: testPassword };
  const { id } = await admin().createUser({ body });
  await admin().assignUserRole({ params: { username, role_name: 'superuser' } });
  const authorization = basic(username, testPassword);
  const self = createClient({ baseUrl: one.baseUrl, authorization, headers: sameOriginHeaders });
  const { headers } = await self.call('signIn', { body: { username, password: testPassword } });
  const cookie = headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const wanted = { name: 'x', permissions: ['sample_add' as const], expires_at: inDays(1) };
  const { id: tokenId, token } = await self.createApiToken({ params: { id }, body: wanted });
  const credentials: Record<Method, Headers> = {
    Basic: { authorization },
    cookie: { ...sameOriginHeaders, cookie },
    token: { authorization: bearer(token) },
  };
  return { id, username, tokenId, credentials };
}
type User = Awaited<ReturnType<typeof createUser>>;

let labels = 0;
const fresh = (kind: string) => `${kind} ${++labels}`;
/** The status with which the first server responds when the user creates a cohort, or a subject in one, with each method. */
async function statusesOf({ credentials }: User, cohort?: { label: string }): Promise<Record<Method, number>> {
  const statuses = await Promise.all(
    methods.map(async (method) => {
      const headers = { ...credentials[method], 'content-type': 'application/json' };
      const wanted = cohort ? { label: fresh('subject'), cohort_label: cohort.label } : { label: fresh('cohort') };
      const url = `${one.baseUrl}/${cohort ? 'subjects' : 'cohorts'}`;
      return [method, (await fetch(url, { method: 'POST', headers, body: JSON.stringify(wanted) })).status] as const;
    }),
  );
  return Object.fromEntries(statuses) as Record<Method, number>;
}

const all = (status: number): Record<Method, number> => ({ Basic: status, cookie: status, token: status });

interface Change {
  what: string;
  change: (user: User) => Promise<unknown>;
  afterwards: Record<Method, number>;
}

const superuser = ({ username }: User) => ({ params: { username, role_name: 'superuser' } });

const changes: Change[] = [
  {
    what: 'the removal of a role',
    change: (user) => admin().removeUserRole(superuser(user)),
    afterwards: all(403),
  },
  {
    what: 'the deactivation of the user',
    change: ({ id }) => admin().deleteUser({ params: { id } }),
    afterwards: all(401),
  },
  {
    what: 'the revocation of the token',
    change: ({ id, tokenId }) => admin().revokeApiToken({ params: { id, token_id: tokenId } }),
    afterwards: { Basic: 201, cookie: 201, token: 401 },
  },
  {
    what: 'a new password, which does not invalidate tokens',
    change: ({ id }) => admin().updateUser({ params: { id }, body: { password: 'another fine sentence' } }),
    afterwards: { Basic: 401, cookie: 401, token: 201 },
  },
];

describe('the next request to another server', () => {
  it.each(changes)('respects $what', async ({ change, afterwards }) => {
    const user = await createUser();
    // Twice, so that the server has cached the sign-in before the change.
    for (let round = 0; round < 2; round++) {
      expect(await statusesOf(user)).toEqual(all(201));
    }
    await change(user);
    expect(await statusesOf(user)).toEqual(afterwards);
  });

  it('uses a role that was removed and assigned again', async () => {
    const user = await createUser();
    await admin().removeUserRole(superuser(user));
    expect(await statusesOf(user)).toEqual(all(403));
    await admin().assignUserRole(superuser(user));
    expect(await statusesOf(user)).toEqual(all(201));
  });

  it('respects the assignment and the removal of a role in a cohort', async () => {
    const user = await createUser();
    const mine = await admin().createCohort({ body: { label: fresh('cohort') } });
    const theirs = await admin().createCohort({ body: { label: fresh('cohort') } });
    const forCohort = ({ id }: { id: number }) => ({ params: { ...superuser(user).params, cohort_id: id } });
    const inBoth = async () => [await statusesOf(user, mine), await statusesOf(user, theirs)];
    await admin().removeUserRole(superuser(user));
    expect(await inBoth()).toEqual([all(403), all(403)]);
    await admin().assignCohortRole(forCohort(mine));
    expect(await inBoth()).toEqual([all(201), all(404)]);
    await admin().assignCohortRole(forCohort(theirs));
    await admin().removeCohortRole(forCohort(mine));
    expect(await inBoth()).toEqual([all(404), all(201)]);
    await admin().removeCohortRole(forCohort(theirs));
    expect(await inBoth()).toEqual([all(403), all(403)]);
  });
});
