/**
 * Every body field that refers to an object, of every operation: a field for a label, name or protocol takes exactly that, and
 * a field for an object takes a label, a URI or an id (docs/decisions/0004).
 *
 * @module-tag sql
 */
import { operations, values, type Operation, type OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../testing/cases/world.ts';
import { startTestServer, type Parts, type TestServer } from '../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

interface Found {
  id: number;
  name: string;
}

interface Kind {
  collection: string;
  column: string;
  make: () => Promise<Found>;
}

const labelled = async (made: Promise<{ id: number; label: string }>) => {
  const { id, label } = await made;
  return { id, name: label };
};
const kinds = {
  cohort: { collection: 'cohorts', column: 'label', make: () => labelled(world.cohort()) },
  workflow: { collection: 'workflows', column: 'label', make: () => labelled(world.workflow()) },
  subject: { collection: 'subjects', column: 'label', make: () => labelled(world.subject()) },
  experiment: { collection: 'experiments', column: 'label', make: () => labelled(world.experiment()) },
  system: { collection: 'external_systems', column: 'system_name', make: () => world.system() },
  scantype: {
    collection: 'scantypes',
    column: 'protocol',
    make: async () => {
      const { id, protocol } = await world.scantype();
      return { id, name: protocol };
    },
  },
} satisfies Record<string, Kind>;

/** What each field refers to. A new field needs a row here. */
const kindOf: Record<string, Kind> = {
  cohort_label: kinds.cohort,
  workflow_label: kinds.workflow,
  external_system_name: kinds.system,
  scantype_protocol: kinds.scantype,
  experiment: kinds.experiment,
  experiment_id: kinds.experiment,
  subject: kinds.subject,
  subject_id: kinds.subject,
  external_system: kinds.system,
  scantype: kinds.scantype,
  scantype_id: kinds.scantype,
};

const references = new Set(
  [values.Reference, values.optional(values.Reference)].map((schema) => JSON.stringify(schema)),
);
const fieldsWhere = (matches: (field: string, schema: unknown, name: OperationName) => boolean) =>
  (Object.entries(operations) as [OperationName, Operation][]).flatMap(([name, { body }]) =>
    Object.entries(body?.properties ?? {})
      .filter(([field, schema]) => matches(field, schema, name))
      .map(([field]) => [name, field] as const),
  );
const objectFields = fieldsWhere((_field, schema) => references.has(JSON.stringify(schema)));
/** The two fields name one subject together. Their tests are in create-experiment.interface.test.ts. */
const namesSubject = (name: OperationName, field: string) =>
  name === 'createExperiment' && ['subject_label', 'cohort_label'].includes(field);
const nameFields = fieldsWhere(
  // Its own name, not a reference. A state is a state of the experiment's workflow, so its tests are with moves.
  (field, _schema, name) =>
    /_(?:label|name|protocol)$/.test(field) &&
    !['system_name', 'state_label'].includes(field) &&
    !namesSubject(name, field),
);

it('every field that refers to an object has a kind', () => {
  const found = [...objectFields, ...nameFields].map(([, field]) => field);
  expect(new Set(found)).toEqual(new Set(Object.keys(kindOf)));
});

const kindOfField = (field: string): Kind => {
  const kind = kindOf[field];
  if (!kind) throw new Error(`${field} has no kind`);
  return kind;
};

const externalId = { external_id: 'new' };
const ofExperiment = async () => ({
  ...externalId,
  external_system: (await world.system()).name,
  experiment: (await world.experiment()).id,
});
const ofSubject = async () => ({
  ...externalId,
  external_system: (await world.system()).name,
  subject_id: (await world.subject()).id,
});

/** Makes only the objects that the request needs. */
const bodies: Partial<Record<OperationName, () => Promise<object>>> = {
  createSubject: async () => ({ label: world.fresh('subject') }),
  createExperiment: async () => ({ label: world.fresh('experiment'), subject_id: (await world.subject()).id }),
  createExternalExperimentLink: ofExperiment,
  replaceExternalExperimentLink: ofExperiment,
  createExternalSubjectLink: ofSubject,
  replaceExternalSubjectLink: ofSubject,
  createScan: async () => ({ experiment: (await world.experiment()).id, scantype: (await world.scantype()).id }),
};

/** A request with `value` in the field. */
async function requestWith(name: OperationName, field: string, value: unknown): Promise<Parts> {
  const body = (await bodies[name]?.()) ?? {};
  // The other names of the same object are left out.
  const { collection } = kindOfField(field);
  const others = Object.entries(body).filter(([other]) => kindOf[other]?.collection !== collection);
  return {
    ...(name === 'updateSubject' && { params: { id: (await world.subject()).id } }),
    body: { ...Object.fromEntries(others), [field]: value },
  };
}

const send = async (name: OperationName, field: string, value: unknown) =>
  server.call(name, await requestWith(name, field, value));

async function expectFound(name: OperationName, field: string, value: unknown, { id }: Found) {
  const { status, body } = await send(name, field, value);
  expect([value, status < 300 ? 'found' : body.detail]).toEqual([value, 'found']);
  const { collection } = kindOfField(field);
  const shown = {
    cohorts: body.cohort,
    experiments: body.experiment,
    subjects: body.subject,
    external_systems: body.external_system,
    scantypes: body.scantype,
    workflows: undefined,
  }[collection];
  // A new experiment shows the workflow only through its state.
  if (collection !== 'workflows') return expect(shown?.id).toBe(id);
  const { body: state } = await server.call('getState', { params: { id: body.state.id } });
  expect(state.workflow.id).toBe(id);
}

async function expectRejected(name: OperationName, field: string, value: unknown, wanted: [number, string]) {
  const { status, body } = await send(name, field, value);
  expect([value, status, body.code, body.errors[0]?.pointer]).toEqual([value, ...wanted, `/${field}`]);
  return body;
}

const rename = ({ collection, column }: Kind, { id }: Found, name: string) =>
  server.sql(`update ${collection} set ${column} = $2 where id = $1`, [id, name]);

const notFound: [number, string] = [404, 'not_found'];
const invalid: [number, string] = [400, 'invalid_request'];

describe.each(nameFields)('%s takes exactly the name in %s', (name, field) => {
  const kind = kindOfField(field);

  it('also if the name has slashes, is all digits or looks like a URI', async () => {
    const [one, other] = [await kind.make(), await kind.make()];
    for (const text of ['T1/T2', `000${other.id}`, String(other.id), `/api/v2/${kind.collection}/${other.id}`]) {
      await rename(kind, one, text);
      await expectFound(name, field, text, one);
    }
    await rename(kind, one, world.fresh('renamed'));
  });

  it('and no id or URI', async () => {
    const { id } = await kind.make();
    for (const text of [String(id), `/api/v2/${kind.collection}/${id}`]) {
      await expectRejected(name, field, text, notFound);
    }
    await expectRejected(name, field, id, invalid);
  });
});

describe.each(objectFields)('%s finds the object in %s', (name, field) => {
  const kind = kindOfField(field);
  const uriOf = ({ id }: Found) => `/api/v2/${kind.collection}/${id}`;

  it('by its id as a number, also if another object has this label', async () => {
    const [one, other] = [await kind.make(), await kind.make()];
    await rename(kind, other, String(one.id));
    await expectFound(name, field, one.id, one);
    await rename(kind, other, world.fresh('renamed'));
  });

  it('by its name, also if the name has slashes or leading zeros', async () => {
    const [one, other] = [await kind.make(), await kind.make()];
    for (const text of ['T1/T2', `000${other.id}`, `x/${kind.collection}/${other.id}`, String(one.id), uriOf(one)]) {
      await rename(kind, one, text);
      await expectFound(name, field, text, one);
    }
    await rename(kind, one, world.fresh('renamed'));
  });

  it('by its URI or the digits of its id if nothing has this name', async () => {
    const one = await kind.make();
    for (const text of [uriOf(one), String(one.id)]) await expectFound(name, field, text, one);
  });

  it('and returns 409 with both if the text is the name of one and the id or the URI of another', async () => {
    const [one, other] = [await kind.make(), await kind.make()];
    for (const text of [String(other.id), uriOf(other)]) {
      await rename(kind, one, text);
      const body = await expectRejected(name, field, text, [409, 'ambiguous_reference']);
      for (const { id } of [one, other]) expect(body.detail).toContain(`/api/v2/${kind.collection}/${id}`);
      expect(body.errors).toHaveLength(2);
    }
    await rename(kind, one, world.fresh('renamed'));
  });

  it('and returns 404 for digits that are neither a name nor an id', async () => {
    const { id } = await kind.make();
    for (const text of [`0${id}`, '0', String(2 ** 53), '9'.repeat(30)]) {
      await expectRejected(name, field, text, notFound);
    }
  });
});

const move = ({ id }: { id: number }, state_label: string) =>
  server.call('setExperimentState', { params: { id }, body: { state_label } });

describe('a move takes exactly the label of a state', () => {
  it('also if the label has slashes or is the id of another state', async () => {
    for (const labelOf of [() => 'T1/T2', (id: number) => `000${id}`, String]) {
      const { states, label: workflow_label } = await world.workflow();
      const [wanted, other] = [states['checked'], states['rejected'] ?? 0];
      const label = labelOf(other);
      await server.sql('update states set label = $2 where id = $1', [wanted, label]);
      const subject = await world.subject();
      const body = { label: 'moves', subject_id: subject.id, workflow_label };
      const { body: experiment } = await server.call('createExperiment', { body });
      expect((await move(experiment, label)).body).toMatchObject({ success: true, state: { id: wanted, label } });
    }
  });

  it('and no id or URI', async () => {
    const experiment = await world.experiment();
    const id = experiment.workflow.states['checked'];
    for (const text of [String(id), `/api/v2/states/${id}`]) {
      const { status, body } = await move(experiment, text);
      expect([status, body.error.code]).toEqual([404, 'state_not_found']);
    }
  });
});
