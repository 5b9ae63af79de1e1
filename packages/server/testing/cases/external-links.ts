/** External links of experiments and of subjects are the same but for their words. */
import type { externalLinkOperations } from '@milepost/api';
import {
  ambiguous,
  found,
  invalid,
  missing,
  missingParts,
  noSuchId,
  taken,
  unknownParameter,
  wrongPages,
} from './expectations.ts';
import { readsOnly, refersToNothing, type Row, type SectionCases } from './matrix.ts';
import type { Labelled, World } from './world.ts';

type System = Awaited<ReturnType<World['system']>>;

interface Owner {
  make: (world: World) => Promise<Labelled>;
  name: 'experiment' | 'subject';
  /** What the body calls it, and its other name. */
  field: string;
  alias: string;
  /** Of a PUT that creates. */
  created: number;
}

function wordsOf({ make, name, field, alias, created }: Owner) {
  const list = `external_${name}_links`;
  const shown = ({ id, label }: Labelled, system: System, external_id: string) => ({
    [name]: { id, label, uri: `/api/v2/${name}s/${id}` },
    external_id,
    external_system: {
      id: system.id,
      system_name: system.name,
      uri: `/api/v2/external_systems/${system.id}`,
      url: system.url,
    },
  });
  /** An owner with a link, as both are shown. */
  const linked = async (world: World) => {
    const [its, system] = [await make(world), await world.system()];
    const [row] = await world.sql<{ id: string }>(
      `insert into ${list} (${name}_id, cohort_id, external_system_id, external_id)
       select id, cohort_id, $2, 'old' from ${name}s where id = $1 returning id`,
      [its.id, system.id],
    );
    const id = Number(row?.id);
    return { id, its, system, body: { id, uri: `/api/v2/${list}/${id}`, ...shown(its, system, 'old') } };
  };
  /** The links of an owner, and its version, which every change raises. */
  const stored = ({ id }: Labelled, version: number, ...texts: string[]) => ({
    query: `select external_id, owner.version, link.cohort_id = owner.cohort_id as of_its_cohort
      from ${list} as link join ${name}s as owner on owner.id = ${name}_id where ${name}_id = $1 order by link.id`,
    values: [id],
    rows: texts.map((external_id) => ({ external_id, version: String(version), of_its_cohort: true })),
  });
  const body = (its: Labelled, system: System, external_id = 'new') => ({
    [field]: its.id,
    external_system: system.name,
    external_id,
  });
  const byId = async (world: World) => ({ id: (await linked(world)).id });
  return { make, name, field, alias, created, list, shown, linked, stored, body, byId };
}

type Words = ReturnType<typeof wordsOf>;

/** What POST and PUT have in common. */
const refusals = ({ make, field, alias, body, stored }: Words) => ({
  validation: {
    'no external id': async (world: World) => {
      const { external_id: _left, ...others } = body(await make(world), await world.system());
      return invalid({ body: others }, '/external_id');
    },
    'no owner and no system': () => invalid({ body: { external_id: 'new' } }, `/${field}`, '/external_system'),
    'two names that mean different ones': async (world: World) => {
      const [its, other] = [await make(world), await make(world)];
      const request = { body: { ...body(its, await world.system()), [alias]: other.label } };
      return { ...invalid(request, `/${field}`, `/${alias}`), stored: stored(its, 1) };
    },
  },
  'missing reference': {
    'an unknown owner': async (world: World) =>
      missing({ body: { ...body(await make(world), await world.system()), [field]: noSuchId } }, `/${field}`),
    'an unknown system': async (world: World) => {
      const its = await make(world);
      const request = { body: { ...body(its, await world.system()), external_system: 'nobody' } };
      return { ...missing(request, '/external_system'), stored: stored(its, 1) };
    },
  },
});

const sharedLabel = ({ make, name, field, body }: Words) => ({
  'a label that two have': async (world: World) => {
    const [its, other] = [await make(world), await make(world)];
    await world.sql(`update ${name}s set label = $2 where id = $1`, [other.id, its.label]);
    return ambiguous({ body: { ...body(its, await world.system()), [field]: its.label } }, `/${field}`, `/${field}`);
  },
});

const create = (words: Words): Row => {
  const { make, alias, linked, shown, stored, body } = words;
  return {
    ...refusals(words),
    success: {
      'by id and name': async (world) => {
        const [its, system] = [await make(world), await world.system()];
        const request = { body: body(its, system) };
        return { request, status: 201, body: shown(its, system, 'new'), stored: stored(its, 2, 'new') };
      },
      'by the other names, with label and uri': async (world) => {
        const [its, system] = [await make(world), await world.system()];
        const external_system_name = `/api/v2/external_systems/${system.id}`;
        const request = { body: { [alias]: its.label, external_system_name, external_id: 'new' } };
        return { request, status: 201, body: shown(its, system, 'new'), stored: stored(its, 2, 'new') };
      },
    },
    conflict: {
      ...sharedLabel(words),
      'a pair that has a link': async (world) => {
        const { its, system } = await linked(world);
        return { ...taken({ body: body(its, system) }, '/external_system'), stored: stored(its, 1, 'old') };
      },
    },
  };
};

const replace = (words: Words): Row => {
  const { make, created, linked, shown, stored, body } = words;
  return {
    ...refusals(words),
    success: {
      'one that is replaced, and keeps its id': async (world) => {
        const { its, system, body: before } = await linked(world);
        const after = { ...before, external_id: 'new' };
        return { ...found({ body: body(its, system) }, after), stored: stored(its, 2, 'new') };
      },
      'a new one': async (world) => {
        const [its, system] = [await make(world), await world.system()];
        const request = { body: body(its, system) };
        return { request, status: created, body: shown(its, system, 'new'), stored: stored(its, 2, 'new') };
      },
    },
    conflict: sharedLabel(words),
  };
};

const list = ({ list: key, linked }: Words): Row => ({
  success: {
    'a page of one': async (world) => {
      const { id, body } = await linked(world);
      return found({ query: { after: id - 1, limit: 1 } }, { [key]: [body] });
    },
  },
  validation: wrongPages(),
  'missing reference': refersToNothing,
  conflict: readsOnly,
});

const get = ({ linked, byId }: Words): Row => ({
  success: {
    'an existing id': async (world) => {
      const { id, body } = await linked(world);
      return found({ params: { id } }, body);
    },
  },
  validation: unknownParameter(byId),
  'missing reference': missingParts(byId, { id: noSuchId }),
  conflict: readsOnly,
});

const ofExperiments = wordsOf({
  make: (world) => world.experiment(),
  name: 'experiment',
  field: 'experiment',
  alias: 'experiment_id',
  created: 200,
});
const ofSubjects = wordsOf({
  make: (world) => world.subject(),
  name: 'subject',
  field: 'subject_id',
  alias: 'subject',
  created: 201,
});

export const externalLinkCases: SectionCases<typeof externalLinkOperations> = {
  listExternalExperimentLinks: list(ofExperiments),
  createExternalExperimentLink: create(ofExperiments),
  replaceExternalExperimentLink: replace(ofExperiments),
  getExternalExperimentLink: get(ofExperiments),
  listExternalSubjectLinks: list(ofSubjects),
  createExternalSubjectLink: create(ofSubjects),
  replaceExternalSubjectLink: replace(ofSubjects),
  getExternalSubjectLink: get(ofSubjects),
};
