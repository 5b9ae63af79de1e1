/**
 * Every path parameter of every operation is an id, a label or name that digits of an id can replace, or only a name
 * (docs/decisions/0004).
 *
 * @module-tag sql
 */
import { operations, type Operation, type OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { None, type Expectation } from '../testing/cases/matrix.ts';
import { wholeMatrix } from '../testing/cases/whole-matrix.ts';
import { createWorld, type World } from '../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

interface Named {
  table: string;
  column: string;
  /** Inserts another row with the same parent. */
  sibling?: string;
}

const cohort: Named = {
  table: 'cohorts',
  column: 'label',
  sibling: `insert into cohorts (label) select label || ' sibling' from cohorts where id = $1 returning id`,
};
const workflow: Named = {
  table: 'workflows',
  column: 'label',
  sibling: `insert into workflows (label) select label || ' sibling' from workflows where id = $1 returning id`,
};

/** The parameters for a label or name. */
const labels: Record<string, Named> = {
  label: cohort,
  subject_label: {
    table: 'subjects',
    column: 'label',
    sibling: `insert into subjects (cohort_id, label) select cohort_id, 'sibling' from subjects where id = $1 returning id`,
  },
  experiment_label: {
    table: 'experiments',
    column: 'label',
    sibling: `insert into experiments (subject_id, cohort_id, workflow_id, state_id, label)
      select subject_id, cohort_id, workflow_id, state_id, 'sibling' from experiments where id = $1 returning id`,
  },
  workflow_label: workflow,
  state_label: {
    table: 'states',
    column: 'label',
    sibling: `insert into states (workflow_id, label, position) select workflow_id, 'sibling', 9 from states where id = $1 returning id`,
  },
  system_name: {
    table: 'external_systems',
    column: 'system_name',
    sibling: `insert into external_systems (system_name) select system_name || ' sibling' from external_systems where id = $1 returning id`,
  },
};
/** The parameters for the name of an object that a path never identifies by its id. */
const onlyNames: Record<string, Named> = {
  username: { table: 'users', column: 'username' },
  role_name: { table: 'roles', column: 'name' },
};
/** Claims come first, because other cases insert attempts of executions that are still in the queue. */
const ids = ['execution_id', 'id', 'cohort_id', 'token_id'];
/** The name of a variable, which has no id. */
const others = ['name'];

const names = Object.keys(operations) as OperationName[];
const parametersOf = (name: OperationName) => Object.keys((operations[name] as Operation).params?.properties ?? {});
const every = (parameters: readonly string[]) =>
  parameters.flatMap((parameter) =>
    names.filter((name) => parametersOf(name).includes(parameter)).map((name) => [name, parameter] as const),
  );

it('every path parameter has a kind', () => {
  const known = [...ids, ...Object.keys(labels), ...Object.keys(onlyNames), ...others];
  expect(new Set(names.flatMap(parametersOf))).toEqual(new Set(known));
});

/** A request that succeeds, with the expected response. */
async function prepare(name: OperationName): Promise<Expectation> {
  const cases = wholeMatrix[name]?.success;
  const [first] = cases === undefined || cases instanceof None ? [] : Object.values(cases);
  if (!first) throw new Error(`${name} has no successful case`);
  return first(world);
}

const send = (name: OperationName, { request }: Expectation, parameter: string, text: string) =>
  server.call(name, { ...request, params: { ...request.params, [parameter]: text } });

async function expectOutcome(name: OperationName, expected: Expectation, parameter: string, text: string) {
  const { status, body } = await send(name, expected, parameter, text);
  expect(status).toBe(expected.status);
  expect(body).toMatchObject(expected.body ?? {});
  if (!expected.stored) return;
  expect(await server.sql(expected.stored.query, expected.stored.values)).toEqual(expected.stored.rows);
}

/** The row that the parameter names. Labels of test data are unique, except those of states. */
async function rowOf({ request: { params = {} } }: Expectation, parameter: string, { table, column }: Named) {
  const [row] = await server.sql<{ id: string }>(
    table === 'states'
      ? 'select states.id from states join workflows on workflows.id = workflow_id where states.label = $1 and workflows.label = $2'
      : `select id from ${table} where ${column} = $1`,
    table === 'states' ? [params[parameter], params['workflow_label']] : [params[parameter]],
  );
  if (!row) throw new Error(`no row for ${parameter} ${params[parameter]}`);
  return row.id;
}

const notIds = (id: string | number | undefined) => [`0${id}`, `000${id}`, '0', String(2 ** 53), '9'.repeat(30)];

async function expectMissing(name: OperationName, expected: Expectation, parameter: string, texts: string[]) {
  for (const text of texts) {
    const { status, body } = await send(name, expected, parameter, text);
    expect([text, status, body.code]).toEqual([text, 404, 'not_found']);
  }
}

describe.each(every(ids))('%s with an id in {%s}', (name, parameter) => {
  it('accepts only the digits of the id, without leading zeros', async () => {
    const expected = await prepare(name);
    await expectMissing(name, expected, parameter, [...notIds(expected.request.params?.[parameter]), 'x', '1.0']);
  });
});

const namedBy = (name: OperationName, parameter: string): Named => {
  const isWorkflow = parameter === 'label' && name === 'getWorkflowByLabel';
  const named = isWorkflow ? workflow : (labels[parameter] ?? onlyNames[parameter]);
  if (!named) throw new Error(`{${parameter}} is no label`);
  return named;
};

describe.each(every(Object.keys(labels)))('%s with a label in {%s}', (name, parameter) => {
  const named = namedBy(name, parameter);

  it('accepts the id if nothing has that label', async () => {
    const expected = await prepare(name);
    await expectOutcome(name, expected, parameter, await rowOf(expected, parameter, named));
  });

  it('prefers a label of digits to the object with this id', async () => {
    const expected = await prepare(name);
    const id = await rowOf(expected, parameter, named);
    const [sibling] = await server.sql<{ id: string }>(named.sibling ?? '', [id]);
    const digits = sibling?.id ?? '';
    await server.sql(`update ${named.table} set ${named.column} = $2 where id = $1`, [id, digits]);
    const label = JSON.stringify(String(expected.request.params?.[parameter]));
    const relabelled = JSON.parse(JSON.stringify(expected).replaceAll(label, JSON.stringify(digits))) as Expectation;
    await expectOutcome(name, relabelled, parameter, digits);
  });

  it('returns 404 for digits that are neither a label nor an id', async () => {
    const expected = await prepare(name);
    await expectMissing(name, expected, parameter, notIds(await rowOf(expected, parameter, named)));
  });
});

describe.each(every(Object.keys(onlyNames)))('%s with a name in {%s}', (name, parameter) => {
  it('does not accept an id', async () => {
    const expected = await prepare(name);
    const id = await rowOf(expected, parameter, namedBy(name, parameter));
    await expectMissing(name, expected, parameter, [id]);
  });
});
