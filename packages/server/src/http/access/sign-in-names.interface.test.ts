/** What the limit of failures reveals to an attacker, and how it affects users at the same address. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
beforeEach(() => server.sql('delete from sign_in_failures'));
afterAll(() => server.stop());

const signIn = async (login: string, password: string) =>
  (await fetch(`${server.baseUrl}/session`, { headers: { authorization: basic(login, password) } })).status;
const guess = async (login: string, times: number) => {
  const statuses: number[] = [];
  for (let count = 0; count < times; count++) statuses.push(await signIn(login, `wrong ${count}`));
  return statuses;
};
const refusedAfter = (failures: number) => [...Array<number>(failures).fill(401), 429];
const counted = () => server.sql('select count from sign_in_failures');
const mailOf = (username: string) => `${username}@example.org`;

const createUser = async (change = 'active = true') => {
  const { id, username } = await world.user();
  await server.sql(`update users set ${change} where id = $1`, [id]);
  return username;
};

describe('the connection between a username and an e-mail', () => {
  const names: [what: string, name: () => Promise<string>][] = [
    ['an account', () => createUser()],
    ['a deactivated account', () => createUser('active = false')],
    ['an account without a password', () => createUser('password_hash = null')],
    ['an unknown name', async () => 'nobody_here'],
  ];

  it.each(names)('is not revealed by the limit for %s', async (_what, name) => {
    const username = await name();
    expect(await guess(username, 11)).toEqual(refusedAfter(10));
    expect(await guess(mailOf(username), 11)).toEqual(refusedAfter(10));
  });

  it.each(names)('is not revealed by the number of counters for %s', async (_what, name) => {
    await guess(await name(), 1);
    expect(await counted()).toEqual([{ count: 1 }, { count: 1 }]);
  });
});

describe('the username and the e-mail of an account', () => {
  it('share the limit of ten failures', async () => {
    const username = await createUser();
    await guess(username, 5);
    await guess(mailOf(username), 5);
    expect([await signIn(username, testPassword), await signIn(mailOf(username), testPassword)]).toEqual([401, 401]);
  });
});

describe('a successful sign-in', () => {
  it('does not reset earlier failures from the same address', async () => {
    const username = await createUser();
    await guess(username, 5);
    expect(await signIn(username, testPassword)).toBe(200);
    expect(await guess(username, 6)).toEqual(refusedAfter(5));
  });

  it('does not count as a failure', async () => {
    const username = await createUser();
    expect(await signIn(username, testPassword)).toBe(200);
    expect(await counted()).toEqual([]);
  });
});
