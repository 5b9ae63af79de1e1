import { permissions } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { allPermissions, permissionWords } from './permission-words.ts';

describe('permissionWords', () => {
  it('returns a different description for each permission', () => {
    expect(allPermissions.toSorted()).toEqual([...permissions].toSorted());
    expect(new Set(allPermissions.map(permissionWords)).size).toBe(permissions.length);
  });

  it('returns the name of an unknown permission', () => {
    expect(permissionWords('moon_walk')).toBe('moon_walk');
    expect(permissionWords('toString')).toBe('toString');
  });
});
