import { permissions } from '@milepost/api';
import { expect, it } from 'vitest';
import { allPermissions, permissionWords } from './permission-words.ts';

it('has different words for every permission that there is', () => {
  expect(allPermissions.toSorted()).toEqual([...permissions].toSorted());
  expect(new Set(allPermissions.map(permissionWords)).size).toBe(permissions.length);
});

it('calls one that it does not know by its name', () => {
  expect(permissionWords('moon_walk')).toBe('moon_walk');
  expect(permissionWords('toString')).toBe('toString');
});
