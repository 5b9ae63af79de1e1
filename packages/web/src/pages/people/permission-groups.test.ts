import { describe, expect, it } from 'vitest';
import { allows, groupsOf, permissionGroups, tokenPermissions } from './permission-groups.ts';
import { allPermissions } from './permission-text.ts';

describe('permissionGroups', () => {
  it('contains each permission that pages show exactly once', () => {
    const grouped = permissionGroups.flatMap((group) => [...group.permissions]);
    expect(grouped.toSorted()).toEqual(allPermissions.toSorted());
  });
});

describe('groupsOf', () => {
  it('returns the groups that contain the permissions, in their order', () => {
    expect(groupsOf(['audit_read', 'sample_add', 'user_read'])).toEqual([
      { title: 'Study data', permissions: ['user_read', 'sample_add'] },
      { title: 'Operation', permissions: ['audit_read'] },
    ]);
  });

  it('returns unknown permissions last and once', () => {
    expect(groupsOf(['moon_walk', 'user_add', 'moon_walk'])).toEqual([
      { title: 'People and access', permissions: ['user_add'] },
      { title: 'Other', permissions: ['moon_walk'] },
    ]);
  });
});

describe('allows', () => {
  it.each([
    [true, 'user_read', ['sample_add']],
    [true, 'user_read', ['upload_data']],
    [false, 'user_read', ['moon_walk']],
    [false, 'user_read', []],
    [true, 'sample_add', ['sample_add']],
    [false, 'sample_update', ['sample_add']],
  ])('returns %s for %s and a role with %j', (expected, permission, held) => {
    expect(allows(held, permission)).toBe(expected);
  });
});

const owner = (all: string[], some: string[] = []) => ({ permissions: all, cohort_permissions: some });

describe('tokenPermissions', () => {
  it.each([
    ['those for all cohorts and for some', owner(['user_add'], ['user_read']), ['user_read', 'user_add']],
    ['no unused permissions if there are others', owner(['upload_data', 'user_read']), ['user_read']],
    ['unused permissions if there are no others', owner(['upload_data']), ['upload_data']],
    ['no permissions that this page does not know', owner(['moon_walk', 'user_read']), ['user_read']],
    ['nothing for an owner without permissions', owner([]), []],
  ])('returns %s', (_case, held, expected) => {
    expect(tokenPermissions(held)).toEqual(expected);
  });
});
