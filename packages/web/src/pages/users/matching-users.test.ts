import { describe, expect, it } from 'vitest';
import { matchingUsers } from './matching-users.ts';

const users = [
  { name: 'José Álvarez', username: 'alvarez' },
  { name: 'Joke Jansen', username: 'j.jansen' },
  { name: '', username: 'cluster' },
];
const found = (typed: string) => matchingUsers(users, typed).map(({ username }) => username);

describe('matchingUsers', () => {
  it.each([
    [['alvarez', 'j.jansen', 'cluster'], ''],
    [['alvarez', 'j.jansen'], 'jo'],
    [['alvarez'], 'JOSE'],
    [['j.jansen'], 'jansen joke'],
    [['cluster'], 'clus'],
    [[], 'jansen alvarez'],
  ])('returns %j for the text %j', (usernames, typed) => {
    expect(found(typed)).toEqual(usernames);
  });
});
