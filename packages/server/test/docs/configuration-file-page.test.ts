/** Checks that the example on the page can be imported and that the page describes every field. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { faultsOfIdentity } from '../../src/engine/people/create-user.ts';
import { ConfigDefinition, parseYaml, type ConfigDefinition as Config } from '@milepost/definitions';

const page = readFileSync(new URL('../../../../docs/reference/configuration-file.md', import.meta.url), 'utf8');
const example = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '';

const headings = {
  roles: 'Roles',
  users: 'Users',
  external_systems: 'External systems',
  scantypes: 'Scan types',
} as const satisfies Record<keyof Config, string>;
const lists = Object.keys(headings) as (keyof typeof headings)[];

/** The rows of the table below a heading: | `field` | meaning | */
function fieldsOnPage(heading: string): string[] {
  const section = page.split(`\n### ${heading}\n`)[1]?.split(/^##/m)[0] ?? '';
  return [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name);
}

describe('docs/reference/configuration-file.md', () => {
  it('has a valid example with every list', () => {
    const { value, faults } = parseYaml(example, ConfigDefinition, '');
    expect(faults).toEqual([]);
    expect(Object.keys(value as object).toSorted()).toEqual(lists.toSorted());
    expect(((value as Config).users ?? []).flatMap((user) => faultsOfIdentity(user))).toEqual([]);
  });

  it.each(lists)('describes every field of %s', (list) => {
    const { items } = ConfigDefinition.properties[list] as unknown as { items: { properties: object } };
    expect(fieldsOnPage(headings[list])).toEqual(Object.keys(items.properties));
  });
});
