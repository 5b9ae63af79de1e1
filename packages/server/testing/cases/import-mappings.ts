import type { importOperations } from '@milepost/api';
import { found, invalid, invalidPaging, missingParts, noSuchId, unknownParameter } from './expectations.ts';
import { none, readsOnly, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const columns = { subject: { target: 'subject' } };

/** A mapping of the administrator in a new cohort. */
async function savedMapping(world: World) {
  const { id } = await world.cohort();
  const name = world.fresh('mapping');
  const params = { id, name };
  const { body } = await world.call('saveImportMapping', { params, body: { columns } });
  return { mapping: body, params };
}

const byCohort = async (world: World) => ({ id: (await world.cohort()).id });
const byName = async (world: World) => (await savedMapping(world)).params;
const stored = (id: number, ...rows: object[]) => ({
  query: 'select name, columns from import_mappings where cohort_id = $1',
  values: [id],
  rows,
});

type Mappings = 'listImportMappings' | 'saveImportMapping' | 'deleteImportMapping';

export const importMappingCases: Pick<SectionCases<typeof importOperations>, Mappings> = {
  listImportMappings: {
    success: {
      'returns the mappings of the cohort': async (world) => {
        const { mapping, params } = await savedMapping(world);
        await savedMapping(world);
        return found({ params: { id: params.id } }, { mappings: [mapping] });
      },
    },
    validation: invalidPaging(byCohort),
    'missing reference': missingParts(byCohort, { id: noSuchId }),
    conflict: readsOnly,
  },
  saveImportMapping: {
    success: {
      'saves a mapping': async (world) => {
        const params = { id: (await world.cohort()).id, name: 'a/b' };
        const shown = { name: 'a/b', columns };
        return { ...found({ params, body: { columns } }, shown), stored: stored(params.id, shown) };
      },
      'replaces a mapping with the same name': async (world) => {
        const { mapping, params } = await savedMapping(world);
        const changed = { subject: { target: 'subject' }, visit: { target: 'experiment', template: '{visit}' } };
        const shown = { name: mapping.name, columns: changed };
        const body = { ...shown, id: mapping.id };
        return { ...found({ params, body: { columns: changed } }, body), stored: stored(params.id, shown) };
      },
    },
    validation: {
      'rejects an unknown target': async (world) =>
        invalid({ params: await byName(world), body: { columns: { a: { target: 'age' } } } }, '/columns/a/target'),
      'rejects an external system without a name, and a template of another column': async (world) => {
        const wrong = { a: { target: 'subject_id' }, b: { target: 'state', template: '{a}' } };
        return invalid({ params: await byName(world), body: { columns: wrong } }, '/columns/a', '/columns/b');
      },
    },
    'missing reference': missingParts(byName, { id: noSuchId }, { columns }),
    conflict: {
      'rejects more than 100 mappings of a cohort': async (world) => {
        const { id } = await world.cohort();
        await world.sql(
          `insert into import_mappings (cohort_id, name, columns, changed_by)
           select $1, n::text, '{}', (select min(id) from users) from generate_series(1, 100) n`,
          [id],
        );
        const request = { params: { id, name: 'one more' }, body: { columns } };
        return { request, status: 409, code: 'too_many_mappings' };
      },
    },
  },
  deleteImportMapping: {
    success: {
      'removes a mapping': async (world) => {
        const { mapping, params } = await savedMapping(world);
        return { ...found({ params }, mapping), stored: stored(params.id) };
      },
    },
    validation: unknownParameter(byName),
    'missing reference': missingParts(byName, { id: noSuchId, name: 'none' }),
    conflict: none('A mapping can always be removed.'),
  },
};
