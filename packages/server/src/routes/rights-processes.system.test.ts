/**
 * Two servers on one database: what changes about somebody's rights in one acts at their next request in the other, whichever
 * way they come.
 */
import { basic, bearer, createClient } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess } from '../../testing/server-process.ts';
import { testPassword } from '../../testing/server.ts';
import { ownPage } from '../../testing/sessions.ts';
import { startTwoServers } from '../../testing/two-servers.ts';
import { inDays } from '../../testing/tokens.ts';

let one: ServerProcess;
let other: ServerProcess;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ one, other, stop } = await startTwoServers());
});
afterAll(() => stop());

/** In the other process. */
const admin = () => createClient({ baseUrl: other.baseUrl, authorization: basic('admin', testPassword) });

const ways = ['Basic', 'cookie', 'token'] as const;
type Way = (typeof ways)[number];
type Headers = Record<string, string>;

let people = 0;
/** With the role superuser, and the headers of each way to come; all of it in the first process. */
async function person() {
  const username = `person${++people}`;
  const body = { username, email: `${username}@example.org`, password: testPassword };
  const { id } = await admin().createUser({ body });
  await admin().assignUserRole({ params: { username, role_name: 'superuser' } });
  const authorization = basic(username, testPassword);
  const self = createClient({ baseUrl: one.baseUrl, authorization, headers: ownPage });
  const { headers } = await self.call('signIn', { body: { username, password: testPassword } });
  const cookie = headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const wanted = { name: 'x', permissions: ['sample_add' as const], expires_at: inDays(1) };
  const { id: tokenId, token } = await self.createApiToken({ params: { id }, body: wanted });
  const coming: Record<Way, Headers> = {
    Basic: { authorization },
    cookie: { ...ownPage, cookie },
    token: { authorization: bearer(token) },
  };
  return { id, username, tokenId, coming };
}
type Person = Awaited<ReturnType<typeof person>>;

let labels = 0;
const fresh = (kind: string) => `${kind} ${++labels}`;
/** What the first process answers to somebody who creates a cohort, or a subject in one, by each way at once. */
async function answers({ coming }: Person, cohort?: { label: string }): Promise<Record<Way, number>> {
  const statuses = await Promise.all(
    ways.map(async (way) => {
      const headers = { ...coming[way], 'content-type': 'application/json' };
      const wanted = cohort ? { label: fresh('subject'), cohort_label: cohort.label } : { label: fresh('cohort') };
      const url = `${one.baseUrl}/${cohort ? 'subjects' : 'cohorts'}`;
      return [way, (await fetch(url, { method: 'POST', headers, body: JSON.stringify(wanted) })).status] as const;
    }),
  );
  return Object.fromEntries(statuses) as Record<Way, number>;
}

const allWays = (status: number): Record<Way, number> => ({ Basic: status, cookie: status, token: status });

interface Change {
  what: string;
  change: (person: Person) => Promise<unknown>;
  afterwards: Record<Way, number>;
}

const superuser = ({ username }: Person) => ({ params: { username, role_name: 'superuser' } });

const changes: Change[] = [
  {
    what: 'a role is taken',
    change: (who) => admin().removeUserRole(superuser(who)),
    afterwards: allWays(403),
  },
  {
    what: 'the user is deactivated',
    change: ({ id }) => admin().deleteUser({ params: { id } }),
    afterwards: allWays(401),
  },
  {
    what: 'the token is revoked',
    change: ({ id, tokenId }) => admin().revokeApiToken({ params: { id, token_id: tokenId } }),
    afterwards: { Basic: 201, cookie: 201, token: 401 },
  },
  {
    what: 'the password is changed, which tokens do not come by',
    change: ({ id }) => admin().updateUser({ params: { id }, body: { password: 'another fine sentence' } }),
    afterwards: { Basic: 401, cookie: 401, token: 201 },
  },
];

describe('in another process', () => {
  it.each(changes)('$what: it acts at the next request', async ({ change, afterwards }) => {
    const who = await person();
    // Twice: what a process remembers of a sign-in must not outlast the change.
    for (let round = 0; round < 2; round++) {
      expect(await answers(who)).toEqual(allWays(201));
    }
    await change(who);
    expect(await answers(who)).toEqual(afterwards);
  });

  it('a role is given back: it acts at the next request', async () => {
    const who = await person();
    await admin().removeUserRole(superuser(who));
    expect(await answers(who)).toEqual(allWays(403));
    await admin().assignUserRole(superuser(who));
    expect(await answers(who)).toEqual(allWays(201));
  });

  it('a role for a cohort is given, and taken: both act at the next request', async () => {
    const who = await person();
    const mine = await admin().createCohort({ body: { label: fresh('cohort') } });
    const theirs = await admin().createCohort({ body: { label: fresh('cohort') } });
    const forCohort = ({ id }: { id: number }) => ({ params: { ...superuser(who).params, cohort_id: id } });
    const inBoth = async () => [await answers(who, mine), await answers(who, theirs)];
    await admin().removeUserRole(superuser(who));
    expect(await inBoth()).toEqual([allWays(403), allWays(403)]);
    await admin().assignCohortRole(forCohort(mine));
    expect(await inBoth()).toEqual([allWays(201), allWays(404)]);
    await admin().assignCohortRole(forCohort(theirs));
    await admin().removeCohortRole(forCohort(mine));
    expect(await inBoth()).toEqual([allWays(404), allWays(201)]);
    await admin().removeCohortRole(forCohort(theirs));
    expect(await inBoth()).toEqual([allWays(403), allWays(403)]);
  });
});
