import { permissions } from '@milepost/api';
import { expect, it } from 'vitest';
import { allPermissions, permissionWords } from './permission-words.ts';

it('has a different description for each permission', () => {
  expect(allPermissions.toSorted()).toEqual([...permissions].toSorted());
  expect(new Set(allPermissions.map(permissionWords)).size).toBe(permissions.length);
});

it('returns the name of an unknown permission', () => {
  expect(permissionWords('moon_walk')).toBe('moon_walk');
  expect(permissionWords('toString')).toBe('toString');
});
