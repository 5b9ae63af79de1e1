import { expect, it } from 'vitest';
import type { ImportColumn } from './import-words.ts';
import { choicesOf, isSameMapping, mappingOf, withColumn, withMapping } from './mapping.ts';

const column = (header: string, part: Partial<ImportColumn> = {}): ImportColumn => ({
  header,
  first_values: [],
  target: 'ignored',
  name: null,
  template: null,
  faults: 0,
  ...part,
});

const columns = [
  column('id', { target: 'subject' }),
  column('visit', { target: 'experiment', template: '{id}-{visit}' }),
  column('archive', { target: 'experiment_id', name: 'XNAT' }),
  column('ward'),
];

it('sends only the columns that are not ignored, without null', () => {
  expect(mappingOf(columns)).toEqual({
    id: { target: 'subject' },
    visit: { target: 'experiment', template: '{id}-{visit}' },
    archive: { target: 'experiment_id', name: 'XNAT' },
  });
});

it.each([
  [{ target: 'subject', name: null, template: null } as const, ['ward', 'visit', 'archive']],
  [{ target: 'experiment_id', name: 'XNAT', template: null } as const, ['id', 'visit', 'ward']],
  [{ target: 'experiment_id', name: 'Castor', template: null } as const, ['id', 'visit', 'archive', 'ward']],
  [{ target: 'variable', name: 'ward', template: null } as const, ['id', 'visit', 'archive', 'ward']],
])('%o for another column leaves no two columns with the same target', (target, mapped) => {
  expect(Object.keys(mappingOf(withColumn(columns, 'ward', target))).toSorted()).toEqual(mapped.toSorted());
});

it('ignores the columns that a saved mapping does not name, and its columns that the file does not have', () => {
  const changed = withMapping(columns, { ward: { target: 'variable', name: 'ward' }, missing: { target: 'subject' } });
  expect(mappingOf(changed)).toEqual({ ward: { target: 'variable', name: 'ward' } });
});

it('does not take inherited properties for columns of a saved mapping', () => {
  expect(withMapping([column('toString')], {})).toEqual([column('toString')]);
});

it('finds a saved mapping whatever the order of its columns, with or without the ignored ones', () => {
  const saved = {
    visit: { template: '{id}-{visit}', target: 'experiment' as const },
    ward: { target: 'ignored' as const },
    archive: { target: 'experiment_id' as const, name: 'XNAT' },
    id: { target: 'subject' as const },
  };
  expect(isSameMapping(mappingOf(columns), saved)).toBe(true);
  expect(isSameMapping(mappingOf(columns), { ...saved, ward: { target: 'state' } })).toBe(false);
  expect(isSameMapping(mappingOf(columns), { ...saved, archive: { target: 'experiment_id', name: 'Castor' } })).toBe(
    false,
  );
});

const labels = (of: ImportColumn, systems: string[]) =>
  choicesOf(of, systems).flatMap(({ choices }) => choices.map(({ label }) => label));

it('offers an ID in each external system, also in one that was deleted', () => {
  const offered = labels(column('archive', { target: 'subject_id', name: 'Old' }), ['XNAT']);
  expect(offered).toContain('Subject ID in XNAT');
  expect(offered).toContain('Experiment ID in XNAT');
  expect(offered).toContain('Subject ID in Old');
});

it.each([
  ['var.scanner', 'scanner'],
  ['scanner', 'scanner'],
  ['var.', 'var.'],
])('names the variable of the column %s %s', (header, name) => {
  const variable = choicesOf(column(header), []).flatMap(({ choices }) => choices.filter((one) => one.name !== null));
  expect(variable).toEqual([{ target: 'variable', name, label: 'Variable' }]);
});
