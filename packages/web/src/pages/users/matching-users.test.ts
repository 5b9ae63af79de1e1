import { expect, it } from 'vitest';
import { matchingUsers } from './matching-users.ts';

const users = [
  { name: 'José Álvarez', username: 'alvarez' },
  { name: 'Joke Jansen', username: 'j.jansen' },
  { name: '', username: 'cluster' },
];
const found = (typed: string) => matchingUsers(users, typed).map(({ username }) => username);

it.each([
  ['', ['alvarez', 'j.jansen', 'cluster']],
  ['jo', ['alvarez', 'j.jansen']],
  ['JOSE', ['alvarez']],
  ['jansen joke', ['j.jansen']],
  ['clus', ['cluster']],
  ['jansen alvarez', []],
])('finds users by %j', (typed, usernames) => {
  expect(found(typed)).toEqual(usernames);
});
