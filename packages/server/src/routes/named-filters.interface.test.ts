/**
 * Filters that name an unknown object. The matrix in testing/cases checks each filter of our own lists.
 *
 * @module-tag sql
 */
import type { OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noSuchId } from '../../testing/cases/expectations.ts';
import { createWorld, type World } from '../../testing/cases/world.ts';
import { startTestServer, type Parts, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

const rejection = async (name: OperationName, query: NonNullable<Parts['query']>, as = 'admin') => {
  const { status, body } = await server.call(name, { query, as });
  return { status, code: body.code, errors: body.errors };
};
const rejectionWith = (...errors: { pointer: string; detail: string }[]) => ({
  status: 400,
  code: 'invalid_request',
  errors,
});

describe('a filter of our own lists', () => {
  it('returns 400 with an error for each unknown object', async () => {
    const { id: cohort_id } = await world.cohort();
    const query = { cohort_id, workflow_id: noSuchId, state_id: noSuchId };
    expect(await rejection('listExperimentRows', query)).toEqual(
      rejectionWith(
        { pointer: '?workflow_id', detail: `No workflow with id ${noSuchId}.` },
        { pointer: '?state_id', detail: `No state with id ${noSuchId}.` },
      ),
    );
  });

  it('suggests the closest name', async () => {
    expect(await rejection('listAudit', { operation: 'addNotes' })).toEqual(
      rejectionWith({ pointer: '?operation', detail: 'No operation "addNotes". Did you mean "addNote"?' }),
    );
    expect(await rejection('listEvents', { kind: 'addNotes' })).toEqual(
      rejectionWith({ pointer: '?kind', detail: 'No event kind "addNotes". Did you mean "addNote"?' }),
    );
    expect((await rejection('listExperimentRows', { incident: 'faild' })).errors[0].detail).toContain(
      'Did you mean "failed"?',
    );
  });

  it('accepts a retired state and an automatic change', async () => {
    const { workflow } = await world.experiment();
    await server.sql('update states set retired = true where id = $1', [workflow.states['rejected']]);
    const rows = await server.call('listExperimentRows', { query: { state_id: workflow.states['rejected'] ?? 0 } });
    expect([rows.status, rows.body]).toEqual([200, { experiments: [] }]);
    expect((await server.call('listAudit', { query: { operation: 'endAction' } })).status).toBe(200);
  });

  it('does not tell users who cannot list users and roles which of them exist', async () => {
    const auditor = await world.user('audit_read');
    const admin = (await server.sql<{ id: string }>(`select id from users where username = 'admin'`))[0]?.id;
    for (const query of [
      { actor: noSuchId },
      { actor: Number(admin) },
      { object_kind: 'user', object_id: noSuchId },
      { object_kind: 'role', object_id: noSuchId },
    ]) {
      expect((await server.call('listAudit', { query, as: auditor.username })).status).toBe(200);
    }
    expect(await rejection('listAudit', { actor: noSuchId })).toEqual(
      rejectionWith({ pointer: '?actor', detail: `No user with id ${noSuchId}.` }),
    );
    expect(await rejection('listAudit', { object_kind: 'role', object_id: noSuchId })).toEqual(
      rejectionWith({ pointer: '?object_id', detail: `No role with id ${noSuchId}.` }),
    );
  });
});

describe('a filter of a specified list', () => {
  it.each<[OperationName, NonNullable<Parts['query']>]>([
    ['listExperiments', { state: 'no such state' }],
    ['listExperiments', { subject_id: noSuchId }],
    ['listSubjects', { cohort_label: 'no such cohort' }],
  ])('of %s returns an empty list for %o', async (name, query) => {
    const { status, body } = await server.call(name, { query });
    expect([status, Object.values(body)]).toEqual([200, [[]]]);
  });
});
