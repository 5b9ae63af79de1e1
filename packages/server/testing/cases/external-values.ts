/** Cases for external URLs of cohorts and external IDs of subjects and experiments, which differ only in their names. */
import { found, invalid, missing, missingParts, noSuchId, unknownParameter } from './expectations.ts';
import { none, readsOnly, type Row } from './matrix.ts';
import type { Labelled, World } from './world.ts';

interface Owner {
  make: (world: World) => Promise<Labelled>;
  name: string;
  /** Such as `external_urls`. Its singular names one value. */
  field: string;
  table: string;
  column: string;
}

const replaced = none('An existing value is replaced, so it cannot conflict.');
const text = 'https://a.example.org';

function createSection({ make, name: owner, field, table, column }: Owner) {
  const stored = (id: number, ...texts: string[]) => ({
    query: `select ${column} as text from ${table} where ${owner}_id = $1 order by external_system_id`,
    values: [id],
    rows: texts.map((one) => ({ text: one })),
  });
  const shown = ({ id, label }: Labelled, texts: object) => ({
    [`${owner}_id`]: id,
    [`${owner}_label`]: label,
    [field]: texts,
  });
  const one = field.slice(0, -1);
  const params = async (world: World) => ({ id: (await make(world)).id });
  const both = async (world: World) => ({ ...(await params(world)), system_name: (await world.system()).name });
  /** Creates an owner with a value in one external system. */
  const withText = async (world: World) => {
    const [its, { id: systemId, name }] = [await make(world), await world.system()];
    // Links store the cohort of their owner. The URLs of a cohort need no such column.
    const cohort = owner === 'cohort' ? '' : ', cohort_id';
    await world.sql(
      `insert into ${table} (${owner}_id, external_system_id, ${column}${cohort})
       select id, $2, $3${cohort} from ${owner}s where id = $1`,
      [its.id, systemId, text],
    );
    return { its, name };
  };

  return { field, one, make, params, both, withText, stored, shown };
}

type Section = ReturnType<typeof createSection>;

const add = ({ field, make, params, withText, stored, shown }: Section): Row => ({
  success: {
    'adds a value and keeps the others': async (world) => {
      const [{ its, name }, other] = [await withText(world), await world.system()];
      const request = { params: { id: its.id }, body: { [field]: { [other.name]: 'second' } } };
      const body = shown(its, { [name]: text, [other.name]: 'second' });
      return { request, status: 201, body, stored: stored(its.id, text, 'second') };
    },
    'replaces an existing value': async (world) => {
      const { its, name } = await withText(world);
      const request = { params: { id: its.id }, body: { [field]: { [name]: 'other' } } };
      return { ...found(request, shown(its, { [name]: 'other' })), stored: stored(its.id, 'other') };
    },
  },
  validation: {
    'rejects a value that is a number': async (world) =>
      invalid({ params: await params(world), body: { [field]: { XNAT: 1 } } }, `/${field}/XNAT`),
  },
  'missing reference': {
    ...missingParts(params, { id: noSuchId }, { [field]: { XNAT: text } }),
    'stores nothing if one of the systems is unknown': async (world) => {
      const [{ id }, { name }] = [await make(world), await world.system()];
      const request = { params: { id }, body: { [field]: { [name]: text, unknown: text } } };
      return { ...missing(request, `/${field}/unknown`), stored: stored(id) };
    },
  },
  conflict: replaced,
});

const get = ({ params, withText, shown }: Section): Row => ({
  success: {
    'returns the values': async (world) => {
      const { its, name } = await withText(world);
      return found({ params: { id: its.id } }, shown(its, { [name]: text }));
    },
  },
  validation: unknownParameter(params),
  'missing reference': missingParts(params, { id: noSuchId }),
  conflict: readsOnly,
});

const set = ({ one, make, both, withText, stored, shown }: Section): Row => ({
  success: {
    'adds a value': async (world) => {
      const [its, { name }] = [await make(world), await world.system()];
      const request = { params: { id: its.id, system_name: name }, body: { [one]: text } };
      return { request, status: 201, body: shown(its, { [name]: text }), stored: stored(its.id, text) };
    },
    'replaces an existing value': async (world) => {
      const { its, name } = await withText(world);
      const request = { params: { id: its.id, system_name: name }, body: { [one]: 'other' } };
      const body = shown(its, { [name]: 'other' });
      return { request, status: 201, body, stored: stored(its.id, 'other') };
    },
  },
  validation: {
    'rejects an empty value': async (world) => invalid({ params: await both(world), body: { [one]: '' } }, `/${one}`),
  },
  'missing reference': missingParts(both, { id: noSuchId, system_name: 'unknown' }, { [one]: text }),
  conflict: replaced,
});

const remove = ({ one, both, withText, stored, shown }: Section): Row => ({
  success: {
    'removes a value': async (world) => {
      const { its, name } = await withText(world);
      return { ...found({ params: { id: its.id, system_name: name } }, shown(its, {})), stored: stored(its.id) };
    },
  },
  validation: {
    'rejects a body': async (world) => invalid({ params: await both(world), body: { [one]: text } }, ''),
  },
  'missing reference': {
    ...missingParts(both, { id: noSuchId, system_name: 'unknown' }),
    'returns 404 for a system without a value': async (world) => missing({ params: await both(world) }),
  },
  conflict: none('Removing an existing value cannot conflict, and a missing one is 404.'),
});

export function externalValueCases(owner: Owner) {
  const section = createSection(owner);
  return { add: add(section), get: get(section), set: set(section), remove: remove(section) };
}
