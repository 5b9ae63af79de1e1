/**
 * The cause of a failed run: written with its end, shown wherever the run is, and neither in events nor in the chain.
 *
 * @module-tag sql
 */
import { describe, expect, it } from 'vitest';
import { engineContext } from '../../../testing/engine-context.ts';
import { pulledWorkflow } from '../../../testing/engine-world.ts';
import { statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { startEngineWorld } from '../../../testing/start-engine-world.ts';
import { checkTimeouts } from './check-timeouts.ts';
import { endRun, type RunEnd } from './end-run.ts';
import { startAttempts } from './start-attempts.ts';

const { server, world } = await startEngineWorld();

const callback = (label: string) =>
  `{label: ${label}, function: http, callback_arguments: {url: "https://deid.example.org/"}, run_timeout: 60, retry_for: 5}`;
const calling = (...labels: string[]) => `states:
  - label: run
    callbacks: [${labels.map(callback).join(', ')}]
    transitions: [{destination: done, condition: "callbacks['deface'].result == 'success'"}]
  - {label: done}
`;

const context = () => engineContext(server, 'runCallback');
const end = async (executionId: number, how: RunEnd) => {
  const [started] = await startAttempts(context(), [executionId], 'w');
  return endRun(context(), { executionId, attempt: started?.attempt ?? 0, end: how, log: '' });
};

const burned = 'A name is burned into the pixels of series 1';
const rejected: RunEnd = {
  kind: 'ended',
  result: 'failed',
  values: { status: 422 },
  reason: 'Unexpected response: 422 (expected 200–299).',
  cause: burned,
};
const unavailable: RunEnd = { kind: 'temporary', reason: 'POST /x returned 503.', cause: 'The scanner is offline' };

async function runOf(...labels: string[]) {
  const experiment = await world.experimentIn(calling(...(labels.length > 0 ? labels : ['deface'])));
  const [first] = await world.executionsOf(experiment);
  return { experiment, id: first?.id ?? 0 };
}

const causeOf = async (id: number) =>
  (await server.call('getCallbackExecution', { params: { id }, fields: 'status,result,cause,last_error' })).body;

const writes = async (id: number, how: RunEnd) => {
  const sent = await statementsDuring(() => end(id, how), /\bmoved as/);
  return sent.map(({ text }) => text);
};

describe('the cause of a failed run', () => {
  it('is shown with the run, the incident, the timeline, the experiment and the attention list', async () => {
    const { experiment, id } = await runOf();
    await end(id, rejected);
    const params = { id: experiment };
    const shown = { cause: burned, last_error: 'Unexpected response: 422 (expected 200–299).' };
    expect(await causeOf(id)).toMatchObject({ status: 'finished', result: 'failed', ...shown });
    const { body: timeline } = await server.call('getExperimentTimeline', { params });
    expect(timeline.actions[0].executions).toMatchObject([shown]);
    const { body: overview } = await server.call('getExperimentOverview', { params });
    expect(overview.incidents).toMatchObject([{ kind: 'failed', cause: burned }]);
    const { body: listed } = await server.call('listIncidents', { query: { experiment_id: experiment } });
    expect(listed.incidents).toMatchObject([{ kind: 'failed', cause: burned }]);
    const { body: attention } = await server.call('listAttention', {
      query: { cause_group: listed.incidents[0].cause_group },
    });
    expect(attention.items).toMatchObject([{ cause: burned, error: shown.last_error, what: `deface: ${burned}` }]);
  });

  it('is in the log and the attempt, but not in an event or the chained history', async () => {
    const { experiment, id } = await runOf();
    await end(id, rejected);
    const [row] = await server.sql<{ run_log: string; error: string }>(
      'select run_log, error from callback_executions join execution_attempts on execution_id = id where id = $1',
      [id],
    );
    const sentence = `Unexpected response: 422 (expected 200–299): ${burned}`;
    expect(row).toEqual({ run_log: expect.stringContaining(sentence), error: sentence });
    const recorded = await server.sql<{ record: string }>(
      `select to_jsonb(events)::text as record from events
       union all select to_jsonb(history)::text from history union all select to_jsonb(history_values)::text from history_values`,
    );
    expect(recorded.filter(({ record }) => record.includes('burned'))).toEqual([]);
    const announced = await server.sql<{ data: object }>(
      `select data from events where object_kind = 'callback_execution' and object_id = $1 and kind = 'runCallback'`,
      [id],
    );
    expect(announced).toEqual([{ data: { status: 'finished', result: 'failed' } }]);
    const { body } = await server.call('listExperimentHistory', { params: { id: experiment } });
    expect(JSON.stringify(body)).toContain('Unexpected response: 422');
  });

  it('is written by the statement that ends the run, and costs a successful run nothing', async () => {
    const [good, bad] = [await runOf(), await runOf()];
    const [ofSuccess = '', ...more] = await writes(good.id, { kind: 'ended', result: 'success', values: {} });
    const ofFailure = await writes(bad.id, rejected);
    expect([more, ofFailure.length]).toEqual([[], 1]);
    expect(ofSuccess).not.toContain('cause');
    expect(ofFailure[0]).toContain('cause');
  });

  it('is the reason if nothing was said', async () => {
    const { id } = await runOf();
    await end(id, { kind: 'permanent', reason: 'No external system "PACS".' });
    expect(await causeOf(id)).toMatchObject({ cause: 'No external system "PACS".' });
  });

  it('hides secrets and has at most 500 characters also if it is the reason', async () => {
    const { id } = await runOf();
    await end(id, { kind: 'permanent', reason: `No route to https://u:hunter22@host. ${'why '.repeat(200)}` });
    const { cause } = await causeOf(id);
    expect(cause).toMatch(/^No route to https:\/\/\(hidden\)@host\. why/);
    expect(cause.length).toBeLessThanOrEqual(500);
  });

  it('is shown while the run is retried, and no longer after it succeeded', async () => {
    const { id } = await runOf();
    await end(id, unavailable);
    expect(await causeOf(id)).toMatchObject({ status: 'running', cause: 'The scanner is offline' });
    await server.sql(
      `update callback_executions set next_attempt_at = date_trunc('milliseconds', now()) where id = $1`,
      [id],
    );
    await end(id, { kind: 'ended', result: 'success', values: {} });
    expect(await causeOf(id)).toMatchObject({ result: 'success', cause: null });
  });

  it('of a run that timed out says so', async () => {
    const { id } = await runOf();
    await startAttempts(context(), [id], 'w');
    await server.sql(`update callback_executions set deadline = now() - interval '1 minute' where id = $1`, [id]);
    await checkTimeouts(context());
    expect(await causeOf(id)).toMatchObject({ result: 'timeout', cause: 'The run did not finish within 60 minutes.' });
  });

  it('groups the incident by the callback that failed first, even if another one ends the action', async () => {
    const { experiment, id } = await runOf('deface', 'scrub');
    await end(id, rejected);
    const scrub = await world.executionOf(experiment, 'scrub');
    await end(scrub.id, { kind: 'ended', result: 'success', values: {} });
    const [row] = await server.sql<{ own: string; incident: string }>(
      `select callback_id || '-' || cause_key as own, cause_group as incident
       from callback_executions one join incidents on incidents.execution_id = one.id where one.id = $1`,
      [id],
    );
    expect(row?.own).toMatch(/^\d+-[0-9a-f]{16}$/);
    expect(row?.incident).toBe(row?.own);
  });
});

async function claimed() {
  const queue = world.fresh('queue').replace(' ', '_');
  await world.experimentIn(pulledWorkflow(queue, ', wait_timeout: 60'));
  const [claim] = await world.claim(queue);
  return { claim, id: claim.execution.id as number };
}

const failed = { status: 'finished', result: 'failed' };

describe('the cause in a report', () => {
  it.for([
    [{ result_values: { error: { message: 'The mask is empty' } }, run_log: 'ERROR: later' }, 'The mask is empty'],
    [{ result_log: 'INFO start\nERROR: The mask is empty' }, 'The mask is empty'],
    [{ run_log: 'Traceback (most recent call last):\n  File "a.py"\nValueError: No mask' }, 'ValueError: No mask'],
    [{}, null],
  ] as const)('of %j is %j', async ([said, cause]) => {
    const { claim, id } = await claimed();
    await world.reportWithSecret(claim, { ...failed, ...said });
    expect(await causeOf(id)).toMatchObject({ result: 'failed', cause });
  });

  it('can come from the log that the worker sent with its heartbeats', async () => {
    const { claim, id } = await claimed();
    const parts = { params: { execution_id: id }, body: { log: 'INFO start\nERROR: The mask is empty\n' } };
    await server.call('renewClaim', { ...parts, as: null, headers: { authorization: `Bearer ${claim.secret}` } });
    await world.reportWithSecret(claim, failed);
    expect(await causeOf(id)).toMatchObject({ cause: 'The mask is empty' });
  });

  it('stays if the report that finishes the run has no reason', async () => {
    const { claim, id } = await claimed();
    await world.reportWithSecret(claim, { result: 'failed', result_log: 'The mask is empty' });
    await world.reportWithSecret(claim, { status: 'finished' });
    expect(await causeOf(id)).toMatchObject({ ...failed, cause: 'The mask is empty' });
  });

  it('is not that of an earlier attempt', async () => {
    const { claim, id } = await claimed();
    await server.sql(
      `update callback_executions set cause = 'No connection', last_error = 'No connection' where id = $1`,
      [id],
    );
    await world.reportWithSecret(claim, failed);
    expect(await causeOf(id)).toMatchObject({ ...failed, cause: null });
  });
});

describe('a run of the release before causes', () => {
  it('shows its last error', async () => {
    const { id } = await runOf();
    await end(id, rejected);
    await server.sql('update callback_executions set cause = null, cause_key = null where id = $1', [id]);
    expect(await causeOf(id)).toMatchObject({ cause: 'Unexpected response: 422 (expected 200–299).' });
  });
});
