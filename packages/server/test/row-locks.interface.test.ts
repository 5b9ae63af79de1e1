/**
 * A change waits for the lock on its row and applies to the committed values: the history records the values that were
 * replaced, and no concurrent change is overwritten.
 *
 * @module-tag sql
 */
import type { OperationName } from '@milepost/api';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorld } from '../testing/cases/world.ts';
import { startTestServer, type Parts, type TestServer } from '../testing/server.ts';

let server: TestServer;
let other: Client;
beforeAll(async () => {
  server = await startTestServer();
  await server.sql(`insert into external_systems (system_name) values ('XNAT'), ('PACS')`);
});
afterAll(() => server.stop());
beforeEach(async () => {
  other = new Client({ connectionString: server.testDatabase.ownerUrl });
  await other.connect();
});
afterEach(() => other.end());

/** Uses its own connection, as pg_stat_activity does not change within a transaction. */
const waiting = () =>
  server.sql(
    'select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
  );

/** Sends the request while another transaction locks the row, changes it and commits. */
async function callDuring(change: string, table: string, id: number, name: OperationName, parts: Parts) {
  await other.query('begin');
  await other.query(`select from ${table} where id = $1 for update`, [id]);
  const answer = server.call(name, { params: { id }, ...parts });
  await expect.poll(async () => (await waiting()).length, { interval: 10 }).toBe(1);
  await other.query(change, [id]);
  await other.query('commit');
  return answer;
}

let cohorts = 0;
const makeCohort = async () => (await server.call('createCohort', { body: { label: `cohort ${++cohorts}` } })).body;
const makeSubject = async () => {
  const cohort = await makeCohort();
  return (await server.call('createSubject', { body: { label: 's', cohort_label: cohort.label } })).body;
};
const lastChange = async (objectKind: string, id: number) => {
  const [entry] = await server.sql(
    'select operation, before, after from history_with_values where object_kind = $1 and object_id = $2 order by id desc limit 1',
    [objectKind, id],
  );
  return entry;
};

describe('while another transaction changes the cohort', () => {
  it('PUT /cohorts/{id} waits, keeps the committed change and records the replaced values', async () => {
    const { id } = await makeCohort();
    const change = `update cohorts set description = 'theirs' where id = $1`;
    const { status, body } = await callDuring(change, 'cohorts', id, 'updateCohort', { body: { label: `mine ${id}` } });
    expect([status, body.label, body.description]).toEqual([200, `mine ${id}`, 'theirs']);
    expect(await lastChange('cohort', id)).toMatchObject({
      operation: 'updateCohort',
      before: { description: 'theirs' },
      after: { label: `mine ${id}` },
    });
  });

  it('PUT /cohorts/{id} with the same value records no change', async () => {
    const { id } = await makeCohort();
    const change = `update cohorts set description = 'the same' where id = $1`;
    const { status } = await callDuring(change, 'cohorts', id, 'updateCohort', { body: { description: 'the same' } });
    expect(status).toBe(200);
    expect(await lastChange('cohort', id)).toMatchObject({ operation: 'createCohort' });
  });

  it('POST /cohorts/{id}/external_urls waits and keeps the URLs that were added', async () => {
    const { id } = await makeCohort();
    const change = `insert into cohort_urls (cohort_id, external_system_id, url) values ($1, 1, 'https://theirs')`;
    const mine = { external_urls: { PACS: 'https://mine' } };
    const { status, body } = await callDuring(change, 'cohorts', id, 'addCohortExternalUrls', { body: mine });
    const both = { XNAT: 'https://theirs', PACS: 'https://mine' };
    expect([status, body.external_urls]).toEqual([201, both]);
    expect(await lastChange('cohort', id)).toMatchObject({
      before: { external_urls: { XNAT: 'https://theirs' } },
      after: { external_urls: both },
    });
  });
});

describe('while another transaction changes the subject', () => {
  it('PUT /subjects/{id} waits, keeps the committed change and records the replaced values', async () => {
    const { id } = await makeSubject();
    const change = `update subjects set date_of_birth = '1950-12-31' where id = $1`;
    const { status, body } = await callDuring(change, 'subjects', id, 'updateSubject', { body: { label: 'mine' } });
    expect([status, body.label, body.date_of_birth]).toEqual([200, 'mine', '1950-12-31']);
    expect(await lastChange('subject', id)).toMatchObject({
      operation: 'updateSubject',
      before: { label: 's', date_of_birth: '1950-12-31' },
      after: { label: 'mine' },
    });
  });

  it('POST /subjects/{id}/external_ids waits and keeps the ids that were added', async () => {
    const { id } = await makeSubject();
    const change = `insert into external_subject_links (subject_id, cohort_id, external_system_id, external_id)
      select id, cohort_id, 1, 'theirs' from subjects where id = $1`;
    const mine = { external_ids: { PACS: 'mine' } };
    const { status, body } = await callDuring(change, 'subjects', id, 'addSubjectExternalIds', { body: mine });
    const both = { XNAT: 'theirs', PACS: 'mine' };
    expect([status, body.external_ids]).toEqual([201, both]);
    expect(await lastChange('subject', id)).toMatchObject({
      before: { external_ids: { XNAT: 'theirs' } },
      after: { external_ids: both },
    });
  });

  it('PUT /subjects/{id} finds a subject that was moved to another cohort', async () => {
    const [{ id }, cohort] = [await makeSubject(), await makeCohort()];
    const change = `update subjects set cohort_id = ${cohort.id} where id = $1`;
    const { status, body } = await callDuring(change, 'subjects', id, 'updateSubject', { body: { label: 'mine' } });
    expect([status, body.label, body.cohort?.id]).toEqual([200, 'mine', cohort.id]);
  });
});

describe('while another transaction changes the external system', () => {
  it('PUT /external_systems/{id} waits, keeps the committed change and records the replaced values', async () => {
    const system = { system_name: 'LIMS', url: 'https://old' };
    const { id } = (await server.call('createExternalSystem', { body: system })).body;
    const change = `update external_systems set url = 'https://theirs' where id = $1`;
    const mine = { body: { system_name: 'mine' } };
    const { status, body } = await callDuring(change, 'external_systems', id, 'updateExternalSystem', mine);
    expect([status, body.system_name, body.url]).toEqual([200, 'mine', 'https://theirs']);
    expect(await lastChange('external_system', id)).toMatchObject({
      operation: 'updateExternalSystem',
      before: { system_name: 'LIMS', url: 'https://theirs' },
      after: { system_name: 'mine' },
    });
  });
});

describe('while another transaction moves the experiment', () => {
  it('PUT /experiments/{id} waits and returns the new state', async () => {
    const { id, workflow } = await createWorld(server).experiment();
    const change = `update experiments set state_id = ${workflow.states['checked']}, version = version + 1 where id = $1`;
    const { status, body } = await callDuring(change, 'experiments', id, 'updateExperiment', {
      body: { label: 'mine' },
    });
    expect([status, body.label, body.state.label]).toEqual([200, 'mine', 'checked']);
  });
});
