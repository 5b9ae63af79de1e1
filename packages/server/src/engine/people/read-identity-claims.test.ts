import { faultFinder, peopleOperations } from '@milepost/api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../../../api/testing/seed.ts';
import { foldName } from '../../store/people/users.ts';
import { emailFrom, nameFrom, rolesFrom, usernameFrom } from './read-identity-claims.ts';

const map = new Map([
  ['heads', 'admin'],
  ['mri', 'superuser'],
  ['ct', 'superuser'],
]);

describe('rolesFrom', () => {
  it.each([
    [{ groups: ['mri', 'ct', 'other'] }, 'groups', ['superuser']],
    [{ groups: 'heads' }, 'groups', ['admin']],
    [{ realm_access: { roles: ['heads', 'mri'] } }, 'realm_access.roles', ['admin', 'superuser']],
    [{ 'https://example.org/roles': ['mri'] }, 'https://example.org/roles', ['superuser']],
    [{ groups: ['Heads', ' heads', 'heads,mri', ['heads'], { heads: true }, null] }, 'groups', []],
    [{ groups: { heads: true } }, 'groups', []],
    [{}, 'groups', []],
    [{}, '__proto__.heads', []],
    [{}, 'constructor.name', []],
  ])('returns $2 for the claims %j at the path %s', (claims, path, roles) => {
    expect([...rolesFrom(claims, path, map)]).toEqual(roles);
  });
});

it('emailFrom accepts only a valid and verified e-mail address', () => {
  const email = 'ann@example.org';
  expect(emailFrom({ email, email_verified: true })).toBe(email);
  const none = [
    { email },
    { email, email_verified: 'true' },
    { email: 'ann', email_verified: true },
    { email_verified: true },
  ];
  expect(none.map(emailFrom)).toEqual(none.map(() => undefined));
});

it('usernameFrom returns a valid username for any claim', () => {
  const faults = faultFinder(peopleOperations.createUser.body.properties.username);
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('@', '＠', ':', '.', ' ', '\u0000', 'ﬀ', 'a') }),
    fc.anything(),
  );
  fc.assert(
    fc.property(anything, (preferred_username) => {
      const username = usernameFrom({ preferred_username });
      expect(faults(username)).toEqual([]);
      expect(foldName(username)).not.toMatch(/[@:]/);
      expect(nameFrom({ name: preferred_username }).length).toBeLessThanOrEqual(255);
    }),
    { seed },
  );
});
