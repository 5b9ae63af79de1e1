import { expect, it } from 'vitest';
import { initialsOf } from './initials.ts';

it.each([
  ['Amina Haddad', 'AH'],
  ['Marit de Vries', 'MV'],
  ['jansen', 'J'],
  ['j.jansen', 'JJ'],
  ['  ', ''],
  ['Élodie', 'É'],
])('are the first letters of the first and last word: %j, %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
