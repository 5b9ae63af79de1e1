/**
 * Erasing a subject: no personal data remains or can be added again, and the history still passes verification.
 *
 * @module-tag sql
 */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { makeCanaries, type Canaries } from '../../../testing/rows/canaries.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { wrongCounts } from '../../../testing/rows/true-counts.ts';
import { dumpAll, dumpAllWhenIdle } from '../../../testing/rows/whole-dump.ts';
import { verifyHistory } from '../../chain/verify-history.ts';
import { addLateLog } from '../../store/runs/attempts.ts';
import { readChains } from '../../store/record/chained-history.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  await server.addUserWith('second', 'sample_delete');
});
afterAll(() => server.stop());

const dump = () => dumpAll(server.testDatabase.superuserUrl);
const dumpWhenIdle = () => dumpAllWhenIdle(server.testDatabase.superuserUrl);
const verify = () => verifyHistory(readChains(server.database.db));

const withdraw = (id: number, reason: string) =>
  server.call('withdrawSubject', { params: { id }, body: { reason, date: '2026-03-01' } });

async function request(id: number, reason = 'by letter'): Promise<number> {
  return (await server.call('requestErasure', { params: { id }, body: { reason } })).body.id;
}

const confirm = (id: number, erasureId: number, label: string, as = 'admin') =>
  server.call('eraseSubject', { params: { id }, body: { erasure_id: erasureId, label }, as });

/** A withdrawn subject with an experiment and an erasure request. */
async function subjectToErase() {
  const experiment = await world.experimentIn(pulledWorkflow(world.fresh('queue').replace(' ', '_')));
  const { body } = await server.call('getExperiment', { params: { id: experiment } });
  const { id, label } = body.subject as { id: number; label: string };
  await withdraw(id, 'moved away');
  return { experiment, id, label, erasureId: await request(id) };
}

describe('erasing a subject with canary values', () => {
  let canaries: Canaries;
  let certificate: Record<string, unknown>;
  beforeAll(async () => {
    canaries = await makeCanaries(server, world);
    await withdraw(canaries.subject, canaries.texts.withdrawal);
    await canaries.insertLeftoverJob();
  });

  const found = async () => {
    const text = await dump();
    return Object.entries(canaries.texts).flatMap(([name, canary]) => (text.includes(canary) ? [name] : []));
  };

  it('starts with every canary in the database', async () => {
    await request(canaries.subject, canaries.texts.request);
    expect(await found()).toEqual(Object.keys(canaries.texts));
    expect(await verify()).toMatchObject({ bad: undefined, erased: 0, erasures: [] });
  });

  it('leaves no canary anywhere in the database (V14.2.4)', async () => {
    const response = await confirm(canaries.subject, await request(canaries.subject), canaries.texts.label);
    expect(response.status).toBe(200);
    certificate = response.body;
    expect(await found()).toEqual([]);
  });

  it('leaves a history that passes verification and contains the erasure', async () => {
    const { bad, erased, erasures } = await verify();
    expect(bad).toBeUndefined();
    expect(erased).toBe((certificate['destroyed'] as { history_values: number }).history_values);
    expect(erasures).toMatchObject([{ subjectId: canaries.subject }]);
  });

  it('returns a certificate that names the history entry of the erasure', async () => {
    const { body } = await server.call('getErasure', { params: { id: canaries.subject } });
    expect(body).toEqual(certificate);
    const [entry] = await server.sql<Record<string, unknown>>(
      `select id::int, chain, chain_id::int, sequence::int, encode(hash, 'hex') as hash from history
       where operation = 'eraseSubject' and object_kind = 'subject' and object_id = $1`,
      [canaries.subject],
    );
    expect(body.entry).toEqual(entry);
    expect(Object.values(body.destroyed)).not.toContain(0);
  });

  it('keeps ids, states and the withdrawal date under neutral labels', async () => {
    const { body } = await server.call('getSubject', { params: { id: canaries.subject } });
    expect(body).toMatchObject({ label: `erased-${canaries.subject}`, date_of_birth: null, external_ids: {} });
    expect(body.withdrawn).toEqual({ date: '2026-03-01', erased_at: expect.any(String) });
    const { body: experiment } = await server.call('getExperiment', { params: { id: canaries.experiment } });
    expect(experiment).toMatchObject({
      label: `erased-${canaries.experiment}`,
      scandate: null,
      state: { label: 'other' },
      variable_map: {},
    });
    const { body: entries } = await server.call('listExperimentHistory', { params: { id: canaries.experiment } });
    expect(entries.history.at(-1)).toMatchObject({ operation: 'eraseSubject', erased: false });
    expect(entries.history[0]).toMatchObject({ operation: 'createExperiment', erased: true });
    expect(await wrongCounts(server.sql)).toEqual([]);
  });

  it('keeps an experiment that now belongs to another subject, but empties its earlier actions', async () => {
    const { body } = await server.call('getExperiment', { params: { id: canaries.reassigned } });
    expect(body).toMatchObject({ label: 'of another subject', state: { label: 'other' } });
    const actions = await server.sql(
      `select inputs, return_value, freetext, end_time is not null as ended from actions
       where experiment_id = $1 order by sequence`,
      [canaries.reassigned],
    );
    const emptied = { inputs: null, return_value: '', freetext: '', ended: true };
    expect(actions).toEqual([emptied, emptied]);
  });

  it('causes later changes and reports to be rejected', async () => {
    const [{ subject: id, experiment, claim }, before] = [canaries, await dumpWhenIdle()];
    const on = { params: { id: experiment } };
    const responses = [
      await server.call('updateSubject', { params: { id }, body: { label: 'back' } }),
      await server.call('addSubjectExternalIds', { params: { id }, body: { external_ids: { XNAT: 'back' } } }),
      await server.call('addNote', { ...on, body: { text: 'back' } }),
      await server.call('setExperimentVariable', { params: { id: experiment, name: 'v' }, body: { value: 'back' } }),
      await server.call('updateExperiment', { ...on, body: { label: 'back' } }),
      await server.call('updateAction', { params: { id: canaries.action }, body: { return_value: 'back' } }),
      await world.report(claim.execution.id, { status: 'finished', result: 'failed', run_log: 'back' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 409));
    const report = { status: 'finished', result: 'success', run_log: 'back', result_values: { x: 'back' } };
    expect((await world.reportWithSecret(claim, report)).status).toBe(403);
    await addLateLog(server.database.db, { executionId: claim.execution.id, attempt: 1, log: 'back' });
    expect(await dump()).toBe(before);
  });

  it('makes the database reject later history entries with personal values', async () => {
    const entry = server.database.pool.query(
      `insert into history (actor_kind, operation, object_kind, object_id, after, reason)
       values ('engine', 'test', 'experiment', $1, '{"x": "back"}', '')`,
      [canaries.experiment],
    );
    await expect(entry).rejects.toMatchObject({ constraint: 'personal_keys_erased_check' });
  });

  it('is not undone by repeating an earlier request', async () => {
    const again = await canaries.repeatCreate();
    expect(again).toMatchObject({ status: 422, body: { code: 'key_reused' } });
    expect(await found()).toEqual([]);
  });
});

describe('confirming an erasure', () => {
  it('erases the subject once if two users confirm at the same time', async () => {
    const { id, label, erasureId } = await subjectToErase();
    const responses = await Promise.all([confirm(id, erasureId, label), confirm(id, erasureId, label, 'second')]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(responses[0]?.body).toEqual(responses[1]?.body);
    const entries = await server.sql(
      `select from history where operation = 'eraseSubject' and object_kind = 'subject' and object_id = $1`,
      [id],
    );
    expect(entries).toHaveLength(1);
  });

  it('destroys nothing if its connection is killed before the commit', async () => {
    const { id, label, erasureId } = await subjectToErase();
    const before = await dumpWhenIdle();
    const client = new Client({ connectionString: server.testDatabase.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('begin');
    await client.query('select erase_subject($1, $2, 1, null)', [erasureId, label]);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const superuser = new Client({ connectionString: server.testDatabase.superuserUrl });
    await superuser.connect();
    await superuser.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
    await superuser.end();
    expect(await dump()).toBe(before);
    expect((await confirm(id, erasureId, label)).status).toBe(200);
  });

  it('stores no hash of the typed label under the idempotency key', async () => {
    const { id, label, erasureId } = await subjectToErase();
    const again = { params: { id }, body: { erasure_id: erasureId, label } };
    const confirmed = await server.call('eraseSubject', { ...again, headers: { 'idempotency-key': 'confirm' } });
    expect(confirmed.status).toBe(200);
    expect(await server.sql(`select from idempotency_keys where key = 'confirm'`)).toEqual([]);
    const repeated = await server.call('eraseSubject', { ...again, headers: { 'idempotency-key': 'confirm' } });
    expect(repeated.body).toEqual(confirmed.body);
  });

  it('keeps the stored responses of other requests, even if the label is a single letter', async () => {
    const { id, erasureId } = await subjectToErase();
    await server.call('updateSubject', { params: { id }, body: { label: 'e' } });
    const other = { body: { label: 'elsewhere' }, headers: { 'idempotency-key': 'elsewhere' } };
    const { body } = await server.call('createCohort', other);
    expect((await confirm(id, erasureId, 'e')).status).toBe(200);
    expect(await server.call('createCohort', other)).toMatchObject({ status: 201, body });
  });

  it('ignores a job with an invalid execution id', async () => {
    const { id, label, erasureId } = await subjectToErase();
    await server.sql(`insert into pgboss.job_common (name, data) values ('callbacks', '{"execution_id": "odd"}')`);
    expect((await confirm(id, erasureId, label)).status).toBe(200);
    const jobs = await server.sql(`delete from pgboss.job_common where data ->> 'execution_id' = 'odd' returning 1`);
    expect(jobs).toHaveLength(1);
  });

  it('returns 409 more than a day after the request', async () => {
    const { id, label, erasureId } = await subjectToErase();
    await server.sql(`update erasure_requests set requested_at = now() - interval '25 hours' where id = $1`, [
      erasureId,
    ]);
    expect(await confirm(id, erasureId, label)).toMatchObject({ status: 409, body: { code: 'erasure_not_requested' } });
    const next = await request(id);
    expect(next).not.toBe(erasureId);
    expect((await confirm(id, next, label)).status).toBe(200);
  });

  it('is rejected by the database if the label or the request does not match, or the subject is not withdrawn', async () => {
    const { id, label, erasureId } = await subjectToErase();
    const erase = (requestId: number, typed: string) =>
      server.database.pool.query('select erase_subject($1, $2, 1, null)', [requestId, typed]);
    await expect(erase(erasureId, `${label}x`)).rejects.toThrow('does not allow');
    await expect(erase(erasureId + 1000, label)).rejects.toThrow('does not allow');
    await server.sql('update subjects set withdrawn_at = null where id = $1', [id]);
    await expect(erase(erasureId, label)).rejects.toThrow('does not allow');
  });

  it('uses another label if the neutral label is already in use', async () => {
    const { id, label, erasureId } = await subjectToErase();
    const { body } = await server.call('getSubject', { params: { id } });
    const taken = { label: `erased-${id}`, cohort_label: body.cohort.label };
    expect((await server.call('createSubject', { body: taken })).status).toBe(201);
    expect((await confirm(id, erasureId, label)).status).toBe(200);
    expect((await server.call('getSubject', { params: { id } })).body.label).toBe(`erased-${id}-`);
  });
});

describe('verifying the history', () => {
  it('reports values that still exist after their erasure', async () => {
    const { experiment, id, label, erasureId } = await subjectToErase();
    const [kept] = await server.sql<Record<string, unknown>>(
      `select history_values.*, (select key from personal_keys where person = 'subject' and person_id = $2) as key
       from history_values join history on history.id = history_id where chain = 'experiment' and chain_id = $1 limit 1`,
      [experiment, id],
    );
    await confirm(id, erasureId, label);
    expect((await verify()).bad).toBeUndefined();
    const { history_id, before, after, reason, key } = kept ?? {};
    await server.sql(`insert into personal_keys values ('subject', $1, $2)`, [id, key]);
    await server.sql('insert into history_values values ($1, $2, $3, $4)', [history_id, before, after, reason]);
    expect((await verify()).bad).toMatchObject({ chain: 'experiment', chain_id: experiment });
    await server.sql('delete from history_values where history_id = $1', [history_id]);
    await server.sql(`delete from personal_keys where person = 'subject' and person_id = $1`, [id]);
    expect((await verify()).bad).toBeUndefined();
  });

  it('reports destroyed values if no entry records an erasure', async () => {
    const { id, label, erasureId } = await subjectToErase();
    await confirm(id, erasureId, label);
    await server.sql(`delete from history where operation = 'eraseSubject' and object_id = $1 and chain = 'subject'`, [
      id,
    ]);
    await server.sql(
      `delete from history where operation = 'eraseSubject' and chain = 'experiment'
       and chain_id in (select id from experiments where subject_id = $1)`,
      [id],
    );
    expect((await verify()).bad?.fault).toBe(
      `The personal values and the key of subject ${id} are missing, but no entry records an erasure.`,
    );
  });
});
