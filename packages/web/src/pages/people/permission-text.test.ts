import { permissions, unusedPermissions } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { allPermissions, permissionText, shownPermissions } from './permission-text.ts';

describe('permissionText', () => {
  it('returns a different description for each permission that pages show', () => {
    expect(allPermissions.toSorted()).toEqual(shownPermissions(permissions).toSorted());
    expect(new Set(allPermissions.map(permissionText)).size).toBe(permissions.length - unusedPermissions.length);
  });

  it('returns the name of an unknown permission', () => {
    expect(permissionText('moon_walk')).toBe('moon_walk');
    expect(permissionText('toString')).toBe('toString');
  });
});

describe('shownPermissions', () => {
  it('leaves out unused permissions, and keeps unknown ones', () => {
    expect(shownPermissions(['upload_data', 'user_add', 'moon_walk'])).toEqual(['user_add', 'moon_walk']);
  });
});
