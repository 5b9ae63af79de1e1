/**
 * Imports of spreadsheets whose workflow is imported, or whose rows are locked, at the same time.
 *
 * @module-tag sql
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../../testing/import-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { withClient } from '../../../testing/test-database.ts';
import { maxSlowTries, maxTries, workflowImported } from '../due-sets.ts';
import type { WorkflowModels } from '../experiments/workflow-model.ts';
import { runImportSet } from './run-imports.ts';

let server: TestServer;
let world: ImportWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = await createImportWorld(server);
});
afterAll(() => server.stop());

/** A checked import of two experiments, which is applied, in a new workflow. */
async function appliedImport() {
  const states = '  - {label: start, transitions: [{destination: done, by: person}]}\n  - {label: done}\n';
  const label = await world.importWorkflow(`initial: start\nstates:\n${states}`);
  const [{ id: workflowId } = { id: 0 }] = await server.sql<{ id: number }>(
    'select id::int from workflows where label = $1',
    [label],
  );
  const csv = 'subject,experiment,state\nA-1,e1,\nA-2,e1,done\n';
  const query = { workflow_id: workflowId };
  const { id } = await world.check(await world.cohort(), csv, { query });
  await server.call('applyImport', { params: { id } });
  const addState = () => world.importWorkflow(`initial: start\nstates:\n${states}  - {label: added}\n`, label);
  return { id, workflowId, addState };
}

const makeDue = () => server.sql('update imports set next_at = now() where next_at > now()');

it('tries a set again if its workflow was imported after the set had read it', async () => {
  const { id, addState } = await appliedImport();
  const { models } = world.context;
  const get: WorkflowModels['get'] = async (...of) => {
    const model = await models.get(...of);
    await addState();
    return model;
  };
  expect(await runImportSet({ ...world.context, models: { get } })).toBe(true);
  expect(await world.read(id)).toMatchObject({ status: 'running', ready: 2, done: 0, faulty: 0 });
  await makeDue();
  await world.work();
  expect(await world.read(id)).toMatchObject({ status: 'finished', done: 2, faulty: 0 });
  expect(world.context.errors).toEqual([]);
});

it('is checked again later if the faults of the check before cannot be removed, without a fault in a line', async () => {
  const { id } = await world.check(await world.cohort(), 'subject,visit\nA-1,\n,e1\n');
  await server.sql(`create function break_clear() returns trigger language plpgsql as $$ begin raise 'no space'; end $$;
    create trigger break_clear before delete on import_faults for each statement execute function break_clear()`);
  const columns = { subject: { target: 'subject' } };
  await server.call('updateImport', { params: { id }, body: { columns } });
  await expect(world.work()).rejects.toThrow('no space');
  const waiting_for =
    'The last attempt failed with an unexpected error. An operator can find it in the log of the worker.';
  expect(await world.read(id)).toMatchObject({ status: 'checking', checked: 0, faults: 0, waiting_for });
  await server.sql('drop function break_clear cascade');
  await makeDue();
  await world.work();
  expect(await world.read(id)).toMatchObject({ status: 'checked', ready: 1, faulty: 1, waiting_for: null });
  expect(await world.faults(id)).toEqual([[3, 'subject', 'A subject label is required.']]);
});

it('waits while its workflow is locked, says so, and reports no error', async () => {
  const { id, workflowId } = await appliedImport();
  await withClient(server.testDatabase.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('select from workflows where id = $1 for update', [workflowId]);
    await world.work();
    await client.query('rollback');
  });
  const waiting_for = 'The workflow is being imported.';
  expect(await world.read(id)).toMatchObject({ status: 'running', ready: 2, waiting_for, seconds_left: null });
  await makeDue();
  await world.work();
  expect(await world.read(id)).toMatchObject({ status: 'finished', done: 2, waiting_for: null });
  expect(world.context.errors).toEqual([]);
});

it('waits while another transaction has locked one of its subjects', async () => {
  const cohortId = await world.cohort();
  await world.import(cohortId, 'subject\nA-1\n');
  const { id } = await world.check(cohortId, 'subject,experiment\nA-1,e1\n');
  await server.call('applyImport', { params: { id } });
  await withClient(server.testDatabase.databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('select from subjects where cohort_id = $1 for update', [cohortId]);
    await world.work();
    await client.query('rollback');
  });
  const waiting_for = 'Other requests are changing the same subjects or experiments.';
  expect(await world.read(id)).toMatchObject({ status: 'running', ready: 1, waiting_for });
  await makeDue();
  await world.work();
  expect(await world.read(id)).toMatchObject({ status: 'finished', done: 1 });
  expect(world.context.errors).toEqual([]);
});

const slowCheck = async () => {
  await server.sql(`create function be_slow() returns trigger language plpgsql as $$
      begin raise 'slow' using errcode = '57014'; end $$;
    create trigger be_slow before insert on import_keys for each row when (new.line = 3) execute function be_slow()`);
  const { id } = await world.check(await world.cohort(), 'subject\nA-1\nA-2\nA-3\n');
  return id;
};
const becomeFast = () => server.sql('drop function be_slow cascade');

describe('a line whose check takes too long', () => {
  const waiting_for = 'The database responds too slowly.';
  afterEach(() => void (world.context.errors.length = 0));

  it('is checked again later, and has no fault if it is fast then', async () => {
    const id = await slowCheck();
    await becomeFast();
    expect(await world.read(id)).toMatchObject({ status: 'checking', checked: 1, faults: 0, waiting_for });
    await makeDue();
    await world.work();
    expect(await world.read(id)).toMatchObject({ status: 'checked', ready: 3, faulty: 0, waiting_for: null });
  });

  it(`has a fault after ${maxSlowTries} slow attempts, and the others are checked`, async () => {
    const id = await slowCheck();
    for (let tries = 1; tries < maxSlowTries; tries++) {
      await makeDue();
      await world.work();
    }
    expect(await world.read(id)).toMatchObject({ status: 'checking', checked: 1, waiting_for });
    await makeDue();
    await world.work();
    await becomeFast();
    expect(await world.read(id)).toMatchObject({ status: 'checked', ready: 2, faulty: 1, waiting_for: null });
    expect(await world.faults(id)).toEqual([[3, null, expect.stringContaining('unexpected error')]]);
  });
});

const tried = async () => {
  const made = await appliedImport();
  const failed = [made.id, maxTries - 1, workflowImported];
  await server.sql('update imports set tries = $2, waiting_for = $3 where id = $1', failed);
  return made;
};

describe(`an import of which nothing could be done ${maxTries - 1} times in a row`, () => {
  it('stops after one more try, and says why', async () => {
    const { id, workflowId } = await tried();
    await withClient(server.testDatabase.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query('select from workflows where id = $1 for update', [workflowId]);
      await world.work();
      await client.query('rollback');
    });
    expect(await world.read(id)).toMatchObject({ status: 'running', ready: 2 });
    await makeDue();
    await world.work();
    const stopped_because = `Stopped after ${maxTries} failed attempts. The workflow is being imported.`;
    expect(await world.read(id)).toMatchObject({ status: 'stopped', done: 0, stopped_because });
  });

  it('finishes if the next try succeeds, and counts from the start', async () => {
    const { id } = await tried();
    await world.work();
    expect(await world.read(id)).toMatchObject({ status: 'finished', done: 2 });
    expect(await server.sql('select tries from imports where id = $1', [id])).toEqual([{ tries: 0 }]);
  });
});
