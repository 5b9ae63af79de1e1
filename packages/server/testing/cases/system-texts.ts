/** The four operations on external urls of cohorts and external ids of subjects are the same but for their words. */
import { found, invalid, missing, missingParts, noSuchId, unknownParameter } from './expectations.ts';
import { none, readsOnly, type Row } from './matrix.ts';
import type { Labelled, World } from './world.ts';

interface Owner {
  make: (world: World) => Promise<Labelled>;
  /** `cohort` */
  name: string;
  /** `external_urls`, and `external_url` for one of them. */
  field: string;
  table: string;
  column: string;
}

const replaced = none('What exists is replaced, so nothing can conflict.');
const text = 'https://a.example.org';

function wordsOf({ make, name: owner, field, table, column }: Owner) {
  const stored = (id: number, ...texts: string[]) => ({
    query: `select ${column} as text from ${table} where ${owner}_id = $1 order by external_system_id`,
    values: [id],
    rows: texts.map((one) => ({ text: one })),
  });
  const answer = ({ id, label }: Labelled, texts: object) => ({
    [`${owner}_id`]: id,
    [`${owner}_label`]: label,
    [field]: texts,
  });
  const one = field.slice(0, -1);
  const params = async (world: World) => ({ id: (await make(world)).id });
  const both = async (world: World) => ({ ...(await params(world)), system_name: (await world.system()).name });
  /** An owner that has a text in one system. */
  const withText = async (world: World) => {
    const [its, { id: systemId, name }] = [await make(world), await world.system()];
    // Links carry the cohort of their owner; a cohort is its own.
    const cohort = owner === 'cohort' ? '' : ', cohort_id';
    await world.sql(
      `insert into ${table} (${owner}_id, external_system_id, ${column}${cohort})
       select id, $2, $3${cohort} from ${owner}s where id = $1`,
      [its.id, systemId, text],
    );
    return { its, name };
  };

  return { field, one, make, params, both, withText, stored, answer };
}

type Words = ReturnType<typeof wordsOf>;

const add = ({ field, make, params, withText, stored, answer }: Words): Row => ({
  success: {
    'a new system beside one that stays': async (world) => {
      const [{ its, name }, other] = [await withText(world), await world.system()];
      const request = { params: { id: its.id }, body: { [field]: { [other.name]: 'second' } } };
      const body = answer(its, { [name]: text, [other.name]: 'second' });
      return { request, status: 201, body, stored: stored(its.id, text, 'second') };
    },
    'a system that is replaced': async (world) => {
      const { its, name } = await withText(world);
      const request = { params: { id: its.id }, body: { [field]: { [name]: 'other' } } };
      return { ...found(request, answer(its, { [name]: 'other' })), stored: stored(its.id, 'other') };
    },
  },
  validation: {
    'a text that is a number': async (world) =>
      invalid({ params: await params(world), body: { [field]: { XNAT: 1 } } }, `/${field}/XNAT`),
  },
  'missing reference': {
    ...missingParts(params, { id: noSuchId }, { [field]: { XNAT: text } }),
    'an unknown system beside a known one': async (world) => {
      const [{ id }, { name }] = [await make(world), await world.system()];
      const request = { params: { id }, body: { [field]: { [name]: text, nobody: text } } };
      return { ...missing(request, `/${field}/nobody`), stored: stored(id) };
    },
  },
  conflict: replaced,
});

const get = ({ params, withText, answer }: Words): Row => ({
  success: {
    'one of them': async (world) => {
      const { its, name } = await withText(world);
      return found({ params: { id: its.id } }, answer(its, { [name]: text }));
    },
  },
  validation: unknownParameter(params),
  'missing reference': missingParts(params, { id: noSuchId }),
  conflict: readsOnly,
});

const set = ({ one, make, both, withText, stored, answer }: Words): Row => ({
  success: {
    'a new one': async (world) => {
      const [its, { name }] = [await make(world), await world.system()];
      const request = { params: { id: its.id, system_name: name }, body: { [one]: text } };
      return { request, status: 201, body: answer(its, { [name]: text }), stored: stored(its.id, text) };
    },
    'one that is replaced': async (world) => {
      const { its, name } = await withText(world);
      const request = { params: { id: its.id, system_name: name }, body: { [one]: 'other' } };
      return { ...found(request, answer(its, { [name]: 'other' })), stored: stored(its.id, 'other') };
    },
  },
  validation: {
    'an empty text': async (world) => invalid({ params: await both(world), body: { [one]: '' } }, `/${one}`),
  },
  'missing reference': missingParts(both, { id: noSuchId, system_name: 'nobody' }, { [one]: text }),
  conflict: replaced,
});

const remove = ({ one, both, withText, stored, answer }: Words): Row => ({
  success: {
    'the only one': async (world) => {
      const { its, name } = await withText(world);
      return { ...found({ params: { id: its.id, system_name: name } }, answer(its, {})), stored: stored(its.id) };
    },
  },
  validation: {
    'a body': async (world) => invalid({ params: await both(world), body: { [one]: text } }, ''),
  },
  'missing reference': {
    ...missingParts(both, { id: noSuchId, system_name: 'nobody' }),
    'a system in which it has none': async (world) => missing({ params: await both(world) }),
  },
  conflict: none('Removing what is there cannot conflict; what is not there is 404.'),
});

export function systemTextCases(owner: Owner) {
  const words = wordsOf(owner);
  return { add: add(words), get: get(words), set: set(words), remove: remove(words) };
}
