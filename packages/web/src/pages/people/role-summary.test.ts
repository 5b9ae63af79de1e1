import { describe, expect, it } from 'vitest';
import { roleLines, rolesText, type RowRole } from './role-summary.ts';

const cohort = (label: string) => ({ id: 1, label, uri: '' });
const role = (name: string, cohorts: RowRole['cohorts'] = null): RowRole => ({
  role: { id: 1, name, uri: '' },
  cohorts,
});

describe('roleLines', () => {
  it.each<[string, RowRole, { role: string; cohorts: string }]>([
    ['all cohorts', role('admin'), { role: 'admin', cohorts: 'all cohorts' }],
    ['one cohort', role('rater', { total: 1, first: [cohort('north')] }), { role: 'rater', cohorts: 'north' }],
    [
      'two cohorts',
      role('rater', { total: 2, first: [cohort('north'), cohort('south')] }),
      { role: 'rater', cohorts: 'north, south' },
    ],
    [
      'more cohorts than are shown',
      role('rater', { total: 9, first: [cohort('a'), cohort('b'), cohort('c')] }),
      { role: 'rater', cohorts: 'a, b, c and 6 more' },
    ],
  ])('tells a role in %s', (_what, held, line) => {
    expect(roleLines([held])).toEqual({ lines: [line], more: 0 });
  });

  it('shows three roles and counts the others', () => {
    const { lines, more } = roleLines(['a', 'b', 'c', 'd', 'e'].map((name) => role(name)));
    expect([lines.map((line) => line.role), more]).toEqual([['a', 'b', 'c'], 2]);
  });

  it('has no line for a user without roles', () => {
    expect(roleLines([])).toEqual({ lines: [], more: 0 });
  });
});

describe('rolesText', () => {
  it('has every role, for sorting', () => {
    expect(rolesText([role('admin'), role('rater', { total: 1, first: [cohort('north')] })])).toBe(
      'admin all cohorts rater north',
    );
  });
});
