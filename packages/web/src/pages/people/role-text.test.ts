import { permissions } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { abilitiesText, leastPowerful, roleText } from './role-text.ts';

describe('abilitiesText', () => {
  it.each([
    ['Can do everything.', permissions],
    ['Can read study data.', ['user_read']],
    ['Can read study data.', ['user_read', 'upload_data', 'webhook_manage']],
    [
      'Can read study data; move experiments, retry runs, re-evaluate transitions.',
      ['sample_state_update', 'user_read'],
    ],
    ['Can add users; new_permission.', ['new_permission', 'user_add']],
    ['Can do nothing.', []],
  ])('returns "%s"', (text, held) => {
    expect(abilitiesText(held)).toBe(text);
  });
});

describe('roleText', () => {
  it.each([
    ['Reads study data. Can read study data.', 'Reads study data'],
    ['For raters. Can read study data.', 'For raters. '],
    ['Can read study data.', ''],
  ])('returns "%s" for the description "%s"', (text, description) => {
    expect(roleText({ description, permissions: ['user_read'] })).toBe(text);
  });
});

describe('leastPowerful', () => {
  it.each([
    ['user', ['admin', 'superuser', 'user', 'rater']],
    ['rater', ['admin', 'superuser', 'rater']],
    ['', ['admin']],
    ['', []],
  ])('chooses "%s" of %j', (name, names) => {
    expect(leastPowerful(names)).toBe(name);
  });
});
