/**
 * Reports on executions that are already finished or skipped.
 *
 * @module-tag sql
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow as work, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { verifyHistory } from '../../chain/verify-history.ts';
import { readChains } from '../../store/record/chained-history.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

/** A claimed execution that its worker has reported as finished. */
async function finished(report: object = {}) {
  const queue = world.fresh('queue').replace(' ', '_');
  const experiment = await world.experimentIn(work(queue));
  const [claim] = await world.claim(queue);
  await world.reportWithSecret(claim, { status: 'finished', result: 'success', ...report });
  return { experiment, claim, id: claim.execution.id as number };
}

const subjectOf = async (id: number) => {
  const { body } = await server.call('getExperiment', { params: { id } });
  return body.subject as { id: number; label: string };
};

const lastEntry = async (id: number) => {
  const [entry] = await server.sql<{ id: number; before: object; after: object }>(
    `select id::int, before, after from history_with_values
     where object_kind = 'callback_execution' and object_id = $1 order by id desc limit 1`,
    [id],
  );
  return entry;
};

const sha256 = (...parts: (Buffer | string)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

describe('a report on a resolved execution', () => {
  it('changes nothing if every field has the stored value', async () => {
    const sent = { status: 'finished', result: 'success', result_values: { x: 1 }, run_log: 'ran', result_log: 'seen' };
    const { id, claim } = await finished(sent);
    const before = await server.sql('select version from callback_executions where id = $1', [id]);
    expect(await world.reportWithSecret(claim, sent)).toMatchObject({ status: 200, body: sent });
    expect(await world.report(id, { run_log: '', result_log: null })).toMatchObject({ status: 200, body: sent });
    expect(await server.sql('select version from callback_executions where id = $1', [id])).toEqual(before);
  });

  it('is rejected and recorded as a whole if it changes the status or the result', async () => {
    const { experiment, id } = await finished({ run_log: 'ran' });
    const late = await world.report(id, { status: 'finished', result: 'failed', run_log: 'lost' });
    expect(late).toMatchObject({ status: 409, body: { code: 'already_resolved' } });
    expect(late.body.detail).toContain('finished with the result success');
    expect(await lastEntry(id)).toMatchObject({ after: { late_report: { status: 'finished', result: 'failed' } } });
    const { body } = await server.call('getCallbackExecution', { params: { id } });
    expect(body).toMatchObject({ result: 'success', run_log: 'ran' });
    expect(await world.stateOf(experiment)).toBe('good');
  });

  it('can add result values once', async () => {
    const { id } = await finished();
    expect((await world.report(id, { result_values: { x: 2 } })).body.result_values).toEqual({ x: 2 });
    const after = { status: 'finished', result: 'success', result_values: { length: 8 } };
    expect(await lastEntry(id)).toMatchObject({ after });
    expect(await world.report(id, { result_values: { x: 3 } })).toMatchObject({
      status: 409,
      body: { code: 'already_resolved' },
    });
  });

  it('is appended to the logs for users and programs, and for finished and skipped executions', async () => {
    const { id, claim } = await finished({ run_log: 'ran\n', result_log: 'seen\n' });
    await world.reportWithSecret(claim, { run_log: 'cleaned up\n' });
    expect(await world.report(id, { status: 'finished', run_log: 'checked\n', result_log: 'by eye\n' })).toMatchObject({
      status: 200,
      body: { result: 'success', run_log: 'ran\ncleaned up\nchecked\n', result_log: 'seen\nby eye\n' },
    });
    const { id: skipped } = await world.executionOf(await world.experimentIn(work(world.fresh('q'))), 'c');
    await world.report(skipped, { status: 'skipped' });
    expect((await world.report(skipped, { run_log: 'not needed' })).body.run_log).toBe('not needed');
  });
});

describe('a log that is appended late', () => {
  it.each(['run_log', 'result_log'])('keeps %s within 1 MiB by cutting its middle', async (field) => {
    const { id } = await finished({ [field]: `first${'a'.repeat(900_000)}` });
    const text = (await world.report(id, { [field]: `${'b'.repeat(300_000)}last` })).body[field] as string;
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 * 1024);
    expect([text.slice(0, 5), text.slice(-4)]).toEqual(['first', 'last']);
    expect(text).toContain('[... cut here ...]');
  });

  it("is recorded in the history with its length and a hash that needs the subject's key, without its text", async () => {
    const { experiment, id } = await finished();
    const text = 'left hippocampus: 3.1 ml\n€';
    await world.report(id, { run_log: text });
    const [key] = await server.sql<{ key: Buffer }>(
      `select key from personal_keys where person = 'subject' and person_id = $1`,
      [(await subjectOf(experiment)).id],
    );
    const hash = sha256(key?.key ?? '', sha256(text)).toString('hex');
    const outcome = { status: 'finished', result: 'success' };
    const appended = { run_log: { length: Buffer.byteLength(text), hash } };
    expect(await lastEntry(id)).toMatchObject({ before: outcome, after: { ...outcome, appended } });
    const kept = await server.sql<{ text: string }>(
      `select (select string_agg(h::text, '') from history_with_values h) || (select string_agg(e::text, '') from events e) as text`,
    );
    expect(kept[0]?.text).not.toContain('hippocampus');
    expect((await verifyHistory(readChains(server.database.db))).bad).toBeUndefined();
  });

  it('is rejected if the subject has withdrawn or was erased', async () => {
    const { experiment, id, claim } = await finished({ run_log: 'ran' });
    const subject = await subjectOf(experiment);
    await server.call('withdrawSubject', { params: subject, body: { reason: 'moved', date: '2026-03-01' } });
    const rejected = { status: 409, body: { code: 'subject_withdrawn' } };
    expect(await world.report(id, { run_log: 'more' })).toMatchObject(rejected);
    expect(await world.reportWithSecret(claim, { run_log: 'more' })).toMatchObject(rejected);
    const { body: request } = await server.call('requestErasure', { params: subject, body: { reason: 'by letter' } });
    const confirmation = { erasure_id: request.id, label: subject.label };
    expect((await server.call('eraseSubject', { params: subject, body: confirmation })).status).toBe(200);
    expect(await world.report(id, { run_log: 'more' })).toMatchObject({
      status: 409,
      body: { code: 'subject_erased' },
    });
    expect(await world.reportWithSecret(claim, { run_log: 'more' })).toMatchObject({ status: 403 });
    const { body } = await server.call('getCallbackExecution', { params: { id } });
    expect(body.run_log).toBe('');
  });
});
