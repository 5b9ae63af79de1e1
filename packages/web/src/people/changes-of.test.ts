import { expect, it } from 'vitest';
import { changesOf } from './changes-of.ts';

const joke = { name: 'Joke Jansen', username: 'joke', email: 'joke@example.org' };

it.each([
  ['no change', {}, {}],
  ['blanks around unchanged values', { name: ' Joke Jansen ', email: 'joke@example.org ' }, {}],
  ['a name', { name: ' Joke de Wit' }, { name: 'Joke de Wit' }],
  ['a username', { username: 'joke.wit ' }, { username: 'joke.wit' }],
  ['no name', { name: ' ' }, { name: '' }],
  ['an e-mail', { email: 'wit@example.org ' }, { email: 'wit@example.org' }],
  ['a password, including its blanks', { password: ' a fine sentence ' }, { password: ' a fine sentence ' }],
])('sends only the changes: %s', (_case, edited, expected) => {
  expect(changesOf(joke, { ...joke, password: '', ...edited })).toEqual(expected);
});

it('ignores blanks around a stored name', () => {
  const stored = { ...joke, name: ' Joke Jansen' };
  expect(changesOf(stored, { ...stored, password: '' })).toEqual({});
});
