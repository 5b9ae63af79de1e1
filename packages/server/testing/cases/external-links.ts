/** Cases for external links of experiments and of subjects, which differ only in their names. */
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
  invalidPaging,
} from './expectations.ts';
import { readsOnly, refersToNothing, type Row, type SectionCases } from './matrix.ts';
import type { Labelled, World } from './world.ts';

type System = Awaited<ReturnType<World['system']>>;

interface Owner {
  make: (world: World) => Promise<Labelled>;
  name: 'experiment' | 'subject';
  /** The name of the owner in the body, and an alternative name. */
  field: string;
  alias: string;
  /** The status of a PUT that creates or changes a link. */
  written: number;
}

function createSection({ make, name, field, alias, written }: Owner) {
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
  /** Creates an owner with a link, and the expected response for the link. */
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
  /** The links of an owner, and its version, which every change increments. */
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
  return { make, name, field, alias, written, list, shown, linked, stored, body, byId };
}

type Section = ReturnType<typeof createSection>;

/** Cases that POST and PUT share. */
const refusals = ({ make, field, alias, body, stored }: Section) => ({
  validation: {
    'rejects a missing external ID': async (world: World) => {
      const { external_id: _left, ...others } = body(await make(world), await world.system());
      return invalid({ body: others }, '/external_id');
    },
    'rejects a missing owner and a missing system': () =>
      invalid({ body: { external_id: 'new' } }, `/${field}`, '/external_system'),
    'rejects references to different owners': async (world: World) => {
      const [its, other] = [await make(world), await make(world)];
      const request = { body: { ...body(its, await world.system()), [alias]: other.label } };
      return { ...invalid(request, `/${field}`, `/${alias}`), stored: stored(its, 1) };
    },
  },
  'missing reference': {
    'returns 404 for an unknown owner': async (world: World) =>
      missing({ body: { ...body(await make(world), await world.system()), [field]: noSuchId } }, `/${field}`),
    'returns 404 for an unknown system': async (world: World) => {
      const its = await make(world);
      const request = { body: { ...body(its, await world.system()), external_system: 'unknown' } };
      return { ...missing(request, '/external_system'), stored: stored(its, 1) };
    },
  },
});

const sharedLabel = ({ make, name, field, body }: Section) => ({
  'rejects a label that two owners have': async (world: World) => {
    const [its, other] = [await make(world), await make(world)];
    await world.sql(`update ${name}s set label = $2 where id = $1`, [other.id, its.label]);
    return ambiguous({ body: { ...body(its, await world.system()), [field]: its.label } }, `/${field}`, `/${field}`);
  },
});

const create = (section: Section): Row => {
  const { make, alias, linked, shown, stored, body } = section;
  return {
    ...refusals(section),
    success: {
      'creates a link by id and name': async (world) => {
        const [its, system] = [await make(world), await world.system()];
        const request = { body: body(its, system) };
        return { request, status: 201, body: shown(its, system, 'new'), stored: stored(its, 2, 'new') };
      },
      'creates a link by the alternative fields, with a label and a name': async (world) => {
        const [its, system] = [await make(world), await world.system()];
        const request = { body: { [alias]: its.label, external_system_name: system.name, external_id: 'new' } };
        return { request, status: 201, body: shown(its, system, 'new'), stored: stored(its, 2, 'new') };
      },
    },
    conflict: {
      ...sharedLabel(section),
      'rejects a second link of an owner to the same system': async (world) => {
        const { its, system } = await linked(world);
        return { ...taken({ body: body(its, system) }, '/external_system'), stored: stored(its, 1, 'old') };
      },
    },
  };
};

const replace = (section: Section): Row => {
  const { make, written, linked, shown, stored, body } = section;
  return {
    ...refusals(section),
    success: {
      'replaces a link and keeps its id': async (world) => {
        const { its, system, body: before } = await linked(world);
        const after = { ...before, external_id: 'new' };
        return { request: { body: body(its, system) }, status: written, body: after, stored: stored(its, 2, 'new') };
      },
      'creates a link': async (world) => {
        const [its, system] = [await make(world), await world.system()];
        const request = { body: body(its, system) };
        return { request, status: written, body: shown(its, system, 'new'), stored: stored(its, 2, 'new') };
      },
    },
    conflict: sharedLabel(section),
  };
};

const list = ({ list: key, linked }: Section): Row => ({
  success: {
    'returns a page with one link': async (world) => {
      const { id, body } = await linked(world);
      return found({ query: { after: id - 1, limit: 1 } }, { [key]: [body] });
    },
  },
  validation: invalidPaging(),
  'missing reference': refersToNothing,
  conflict: readsOnly,
});

const get = ({ linked, byId }: Section): Row => ({
  success: {
    'returns a link': async (world) => {
      const { id, body } = await linked(world);
      return found({ params: { id } }, body);
    },
  },
  validation: unknownParameter(byId),
  'missing reference': missingParts(byId, { id: noSuchId }),
  conflict: readsOnly,
});

const ofExperiments = createSection({
  make: (world) => world.experiment(),
  name: 'experiment',
  field: 'experiment',
  alias: 'experiment_id',
  written: 200,
});
const ofSubjects = createSection({
  make: (world) => world.subject(),
  name: 'subject',
  field: 'subject_id',
  alias: 'subject',
  written: 201,
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
