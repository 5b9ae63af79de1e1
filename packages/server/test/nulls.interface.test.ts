/**
 * Null for each optional field of each specified POST and PUT body. It means absent, except for the fields that are listed here:
 * null clears some fields of PUT, and null for a guard is rejected.
 *
 * @module-tag sql
 */
import { operationNames, operations, type Operation, type OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { specification } from '../../api/testing/specification.ts';
import { None } from '../testing/cases/matrix.ts';
import { wholeMatrix } from '../testing/cases/whole-matrix.ts';
import { createWorld, type World } from '../testing/cases/world.ts';
import { startTestServer, type Answer, type Parts, type TestServer } from '../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

/** A value of the field, and its value after null. */
const cleared: Record<string, { before: unknown; after: unknown }> = {
  'updateAction.end_time': { before: '2040-01-01T00:00:00.000Z', after: null },
  'updateAction.return_value': { before: 'by hand', after: '' },
  'updateCallback.callback_arguments': { before: '{"queue":"checks"}', after: '{}' },
  'updateCallback.condition': { before: "experiment.label != ''", after: '' },
  'updateCallback.description': { before: 'old', after: '' },
  'updateCallbackExecution.result_log': { before: 'old', after: '' },
  'updateCallbackExecution.run_log': { before: 'old', after: '' },
  'updateCohort.description': { before: 'old', after: '' },
  'updateSubject.date_of_birth': { before: '1951-03-08', after: null },
  'updateUser.name': { before: 'old', after: '' },
};
const guards: Record<string, number> = {
  'createUser.all_cohorts': 400,
  'createUser.roles': 400,
  'setExperimentState.expected_state': 400,
  'updateUser.current_password': 400,
  'updateCallbackExecution.secret': 403,
  'updateCallbackExecution.secret_key': 403,
};
/** A second name of a field that null clears. */
const clearedByAlias = ['updateCallbackExecution.wait_log'];

const isSpecified = ({ method, path }: Operation) =>
  specification.operations.some((one) => one.method === method && one.path === path);

const optionalFields = ({ properties, required }: { properties: object; required?: readonly string[] }) =>
  Object.entries(properties)
    .filter(([name, field]) => !required?.includes(name) && !('readOnly' in field))
    .map(([name]) => name);

const all = operationNames.flatMap((operation) => {
  const row: Operation = operations[operation];
  if (!row.body || !isSpecified(row)) return [];
  return optionalFields(row.body).map((field) => ({ operation, field, name: `${operation}.${field}` }));
});
const absent = all.filter(({ name }) => !(name in cleared) && !(name in guards) && !clearedByAlias.includes(name));

/** The request of the first successful case of the operation. */
async function requestOf(name: OperationName): Promise<Parts & { body: Record<string, unknown> }> {
  const cases = wholeMatrix[name]?.success ?? {};
  const prepare = cases instanceof None ? undefined : Object.values(cases)[0];
  if (!prepare) throw new Error(`No successful case of ${name}`);
  const { request } = await prepare(world);
  return { ...request, body: request.body as Record<string, unknown> };
}

const ofChanges = absent.filter(({ operation }) => operation.startsWith('update'));
const ofOthers = absent.filter((one) => !ofChanges.includes(one));

describe('null for an optional field means absent', () => {
  it.each(ofChanges)('in $name: nothing changes', async ({ operation, field }) => {
    const { params = {} } = await requestOf(operation);
    const unchanged = await server.call(operation, { params, body: {} });
    const { status, body } = await server.call(operation, { params, body: { [field]: null } });
    expect([status, body]).toEqual([200, unchanged.body]);
  });

  it.each(ofOthers)('in $name: the outcome is the same as without the field', async ({ operation, field }) => {
    const outcome = async (more: object) => {
      const request = await requestOf(operation);
      const { [field]: _left, ...body } = request.body;
      return outcomeOf(await server.call(operation, { ...request, body: { ...body, ...more } }), field);
    };
    expect(await outcome({ [field]: null })).toEqual(await outcome({}));
  });

  it('covers every optional field that is neither cleared nor a guard', () => {
    expect(ofChanges.length).toBeGreaterThan(12);
    expect(ofOthers.length).toBeGreaterThan(20);
    expect(all.length - absent.length).toBe(
      Object.keys(cleared).length + Object.keys(guards).length + clearedByAlias.length,
    );
  });
});

/** The parts of a response that do not depend on the objects of the request. */
function outcomeOf({ status, body }: Answer, field: string) {
  const shown: unknown = body[field];
  return { status, errors: body.errors, shown: typeof shown === 'object' && shown !== null ? 'an object' : shown };
}

describe('null in PUT', () => {
  it.each(Object.entries(cleared))('clears %s', async (name, { before, after }) => {
    const [operation, field] = name.split('.') as [OperationName, string];
    const { params = {} } = await requestOf(operation);
    const filled = await server.call(operation, { params, body: { [field]: before } });
    expect([filled.status, filled.body[field]]).toEqual([200, before]);
    const { status, body } = await server.call(operation, { params, body: { [field]: null } });
    expect([status, body]).toEqual([200, { ...filled.body, [field]: after }]);
  });
});

describe('null for a guard', () => {
  it.each(Object.entries(guards))('%s is rejected with %d', async (name, expected) => {
    const [operation, field] = name.split('.') as [OperationName, string];
    const request = await requestOf(operation);
    const before = await server.sql('select count(*) from history');
    const { status, body } = await server.call(operation, { ...request, body: { ...request.body, [field]: null } });
    expect(status).toBe(expected);
    if (status === 400) expect(body.errors).toMatchObject([{ pointer: `/${field}` }]);
    expect(await server.sql('select count(*) from history')).toEqual(before);
  });
});

describe('null for every optional field', () => {
  it('in POST /users creates an active user without name and password', async () => {
    const username = world.fresh('user').replace(' ', '_');
    const body = { username, email: `${username}@example.org`, name: null, active: null, password: null };
    const created = await server.call('createUser', { body });
    expect(created).toMatchObject({ status: 201, body: { username, name: '', active: true } });
    const [row] = await server.sql('select password_hash from users where id = $1', [created.body.id]);
    expect(row).toEqual({ password_hash: null });
  });

  it('in POST /experiments uses the newest workflow and no scan date', async () => {
    const { label: workflow } = await world.workflow();
    const { id } = await world.subject();
    const body = { label: 'visit', subject_id: id, scandate: null, workflow_label: null, workflow: null };
    const created = await server.call('createExperiment', { body });
    expect(created).toMatchObject({ status: 201, body: { label: 'visit', scandate: null } });
    const { body: state } = await server.call('getState', { params: { id: created.body.state.id } });
    expect(state.workflow.label).toBe(workflow);
  });
});

describe('null for a required field', () => {
  it('is rejected with 400', async () => {
    for (const body of [{ label: null }, { label: null, description: null }]) {
      const { status, body: problem } = await server.call('createCohort', { body });
      expect([status, problem.errors]).toMatchObject([400, [{ pointer: '/label' }]]);
    }
  });
});
