import { expect, it } from 'vitest';
import { changesOf } from './changes-of.ts';

const joke = { name: 'Joke Jansen', username: 'joke', email: 'joke@example.org' };

it.each([
  ['nothing', {}, {}],
  ['blanks around what was there', { name: ' Joke Jansen ', email: 'joke@example.org ' }, {}],
  ['a name', { name: ' Joke de Wit' }, { name: 'Joke de Wit' }],
  ['a username', { username: 'joke.wit ' }, { username: 'joke.wit' }],
  ['no name', { name: ' ' }, { name: '' }],
  ['an e-mail', { email: 'wit@example.org ' }, { email: 'wit@example.org' }],
  ['a password, whose blanks are part of it', { password: ' a fine sentence ' }, { password: ' a fine sentence ' }],
])('of somebody who is given %s', (_what, given, expected) => {
  expect(changesOf(joke, { ...joke, password: '', ...given })).toEqual(expected);
});

it('blanks around a stored name are no change', () => {
  const stored = { ...joke, name: ' Joke Jansen' };
  expect(changesOf(stored, { ...stored, password: '' })).toEqual({});
});
