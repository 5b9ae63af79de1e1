/**
 * Ends of runs and timeouts in batches, counted in statements.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { withClient } from '../../../testing/test-database.ts';
import { checkTimeouts } from './check-timeouts.ts';
import type { FinishedRun, RunEnd } from './end-run.ts';
import { createRunEnds } from './end-runs.ts';
import { startAttempts } from './start-attempts.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const callback = (label: string) =>
  `{label: ${label}, function: http, callback_arguments: {url: "https://xnat.example.org/"}, variable_map: {n: n}, run_timeout: 60}`;
const calling = (...labels: string[]) => `states:
  - label: run
    callbacks: [${labels.map(callback).join(', ')}]
    transitions:
      - {destination: done, condition: "experiment.variables.n > 0"}
      - {destination: other}
  - {label: done}
  - {label: other}
`;

const succeeded = (n: unknown): RunEnd => ({ kind: 'ended', result: 'success', values: { n } });
/** Errors of a batch are only logged. */
const context = () => ({ ...engineContext(server, 'runCallback'), onError: () => undefined });

/** Starts the runs of this many experiments. */
async function startRuns(count: number, ...labels: string[]): Promise<FinishedRun[]> {
  const workflow = await world.importWorkflow(calling(...labels));
  const experiments = await Promise.all(Array.from({ length: count }, () => world.experimentOf(workflow)));
  const rows = await server.sql<{ id: number }>(
    `select callback_executions.id from callback_executions join actions on actions.id = action_id
     where experiment_id = any($1) order by callback_executions.id`,
    [experiments],
  );
  const started = await startAttempts(
    context(),
    rows.map(({ id }) => id),
    'w',
  );
  return started.map(({ execution: { id }, attempt }, index) => ({
    executionId: id,
    attempt,
    end: succeeded(index % 2),
    log: `run ${index}`,
  }));
}

/** The first two runs are written at once. The others end meanwhile and are one batch. */
const endAll = (runs: readonly FinishedRun[]) => {
  const endRun = createRunEnds(context());
  return Promise.allSettled(runs.map((run) => endRun(run)));
};
const outcomesOf = (results: readonly PromiseSettledResult<string>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? result.value : 'rejected'));

const stored = (runs: readonly FinishedRun[]) =>
  server.sql<{ state: string; result: string; run_log: string; n: unknown }>(
    `select states.label as state, result, run_log, (select value from experiment_variables
       where experiment_variables.experiment_id = experiments.id) as n
     from callback_executions join actions on actions.id = action_id join experiments on experiments.id = experiment_id
     join states on states.id = experiments.state_id where callback_executions.id = any($1) order by callback_executions.id`,
    [runs.map(({ executionId }) => executionId)],
  );

const stale = (run: FinishedRun) => ({ ...run, attempt: run.attempt + 1 });

describe('runs that end at the same time', () => {
  it('are read and written together, except for the first two', async () => {
    const runs = await startRuns(31, 'c');
    let ended: string[] = [];
    const sent = await statementsDuring(async () => {
      ended = outcomesOf(await endAll(runs));
    }, /callback_executions/);
    expect(new Set(ended)).toEqual(new Set(['recorded']));
    const writes = sent.filter(({ text }) => text.includes('moved as'));
    // One each for the first two, and one for the others.
    expect(writes).toHaveLength(3);
    const rows = await stored(runs);
    expect(rows.map(({ state, n }) => [state, n])).toEqual(
      runs.map((_, index) => (index % 2 === 1 ? ['done', 1] : ['other', 0])),
    );
    expect(rows[5]?.run_log).toMatch(/--- attempt 1 by w at .*\nrun 5$/s);
  });

  it('are all recorded if they belong to one experiment', async () => {
    const runs = await startRuns(2, 'a', 'b', 'c');
    expect(new Set(outcomesOf(await endAll(runs)))).toEqual(new Set(['recorded']));
    expect(new Set((await stored(runs)).map(({ result }) => result))).toEqual(new Set(['success']));
    expect((await stored(runs)).every(({ state }) => state !== 'run')).toBe(true);
  });

  it('do not wait for an experiment that another transaction locks', async () => {
    const runs = await startRuns(6, 'c');
    const locked = runs[3];
    const endRun = createRunEnds(context());
    const others = await withClient(server.testDatabase.ownerUrl, async (client) => {
      await client.query('begin');
      const lock = `select from experiments where id = (
        select experiment_id from actions join callback_executions on action_id = actions.id
        where callback_executions.id = $1) for update`;
      await client.query(lock, [locked?.executionId]);
      const ends = runs.map((run) => endRun(run));
      const first = await Promise.all(ends.filter((_, index) => index !== 3));
      await client.query('rollback');
      return [...first, await ends[3]];
    });
    expect(new Set(others)).toEqual(new Set(['recorded']));
  });

  it('are recorded even if the end of one of them cannot be written', async () => {
    const runs = await startRuns(6, 'c');
    const broken = runs.map((run, index) => (index === 3 ? { ...run, end: succeeded('\0') } : run));
    expect(outcomesOf(await endAll(broken))).toEqual(broken.map((_, index) => (index === 3 ? 'rejected' : 'recorded')));
  });

  it('are not confused with other attempts of the same execution', async () => {
    const [first, second, one, other] = await startRuns(4, 'c');
    if (!first || !second || !one || !other) throw new Error('not started');
    const outcomes = outcomesOf(await endAll([first, second, stale(one), one, other, stale(other)]));
    expect(outcomes).toEqual(['recorded', 'recorded', 'stale', 'recorded', 'recorded', 'stale']);
  });
});

const expire = (runs: readonly FinishedRun[]) =>
  server.sql(`update callback_executions set deadline = now() - interval '1 minute' where id = any($1)`, [
    runs.map(({ executionId }) => executionId),
  ]);

describe('timeouts', () => {
  it('end 120 overdue runs with at most four statements for each 50', async () => {
    const runs = await startRuns(120, 'c');
    await expire(runs);
    let counted: unknown;
    const sent = await statementsDuring(async () => {
      counted = await checkTimeouts(context());
    }, /callback_executions/);
    expect(counted).toEqual({ run_timeouts: 120, wait_timeouts: 0 });
    // Three batches, an empty one, and the list for single ones.
    expect(sent.length).toBeLessThanOrEqual(3 * 4 + 2);
  });

  it('are counted once by workers that check at the same time', async () => {
    const runs = await startRuns(60, 'c');
    await expire(runs);
    const counts = await Promise.all([checkTimeouts(context()), checkTimeouts(context())]);
    expect(counts.reduce((sum, { run_timeouts }) => sum + run_timeouts, 0)).toBe(60);
  });
});
