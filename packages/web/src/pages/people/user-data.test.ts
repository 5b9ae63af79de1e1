import { describe, expect, it } from 'vitest';
import { changesOf } from './user-data.ts';

const joke = { name: 'Joke Jansen', username: 'joke', email: 'joke@example.org' };

describe('changesOf', () => {
  it.each([
    ['unchanged values', {}],
    ['unchanged values with surrounding spaces', { name: ' Joke Jansen ', email: 'joke@example.org ' }],
  ])('returns no changes for %s', (_case, edited) => {
    expect(changesOf(joke, { ...joke, password: '', ...edited })).toEqual({});
  });

  it.each([
    ['a changed name without surrounding spaces', { name: ' Joke de Wit' }, { name: 'Joke de Wit' }],
    ['a changed username without surrounding spaces', { username: 'joke.wit ' }, { username: 'joke.wit' }],
    ['an empty name if the new name is blank', { name: ' ' }, { name: '' }],
    ['a changed e-mail without surrounding spaces', { email: 'wit@example.org ' }, { email: 'wit@example.org' }],
    ['a new password with surrounding spaces', { password: ' a fine sentence ' }, { password: ' a fine sentence ' }],
  ])('returns only %s', (_case, edited, expected) => {
    expect(changesOf(joke, { ...joke, password: '', ...edited })).toEqual(expected);
  });

  it('ignores spaces around a stored name', () => {
    const stored = { ...joke, name: ' Joke Jansen' };
    expect(changesOf(stored, { ...stored, password: '' })).toEqual({});
  });
});
