/**
 * Counts of states: exact whatever happens to experiments, also while it happens and while sums are folded.
 *
 * @module-tag sql
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../testing/engine-world.ts';
import { seed } from '../../testing/seed.ts';
import { startTestServer, type Answer, type TestServer } from '../../testing/server.ts';
import { wrongCounts } from '../../testing/true-counts.ts';
import { countStates, foldCounts, type StateCount } from '../store/state-counts.ts';
import { allCohorts } from '../store/scope.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const idOf = async (table: 'workflows' | 'cohorts', label: string) => {
  const [row] = await server.sql<{ id: number }>(`select id::int from ${table} where label = $1`, [label]);
  return row?.id ?? 0;
};

const counts = async (workflow: string, query: Record<string, number> = {}) => {
  const params = { id: await idOf('workflows', workflow) };
  const { body } = await server.call('getWorkflowCounts', { params, query });
  const states = (body.states as (StateCount & { state: { label: string } })[]).map(
    ({ state, ...one }): [string, Omit<StateCount, 'id' | 'label'>] => [state.label, one],
  );
  return { body, of: Object.fromEntries(states) };
};

/** One of many states and cohorts, in which anything may happen to experiments at once. */
interface Study {
  workflow: string;
  cohorts: string[];
  subjects: number[];
  experiments: number[];
  /** How often the workflow was upgraded. */
  revision: number;
}

const ring = ['a', 'b', 'c', 'd'];
const ways = (from: string) => ring.map((to) => `{destination: ${to}}`).filter((to) => !to.includes(` ${from}}`));
const state = (label: string) => `  - {label: ${label}, transitions: [${ways(label).join(', ')}]}\n`;

/** Each revision has a state of its own; that of the one before is gone. */
const definition = (revision: number) =>
  `initial: a\nstates:\n${ring.map(state).join('')}  - {label: extra${revision}, transitions: [{destination: a}]}\n`;

async function createStudy(): Promise<Study> {
  const workflow = await world.importWorkflow(definition(0));
  const cohorts = [world.fresh('cohort'), world.fresh('cohort'), world.fresh('cohort')];
  for (const label of cohorts) await server.call('createCohort', { body: { label } });
  const study: Study = { workflow, cohorts, subjects: [], experiments: [], revision: 0 };
  for (const cohort_label of cohorts) {
    const { body } = await server.call('createSubject', { body: { label: world.fresh('subject'), cohort_label } });
    study.subjects.push(body.id);
  }
  for (let n = 0; n < 6; n++) await doings.create(study, n);
  return study;
}

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

type Doing = (study: Study, one: number, other: number) => Promise<Answer | void>;

const doings = {
  create: async (study: Study, one: number) => {
    const body = {
      label: world.fresh('experiment'),
      subject_id: pick(study.subjects, one),
      workflow_label: study.workflow,
    };
    const answer = await server.call('createExperiment', { body });
    if (answer.status === 201) study.experiments.push(answer.body.id);
    return answer;
  },
  move: ({ experiments }, one, other) =>
    server.call('setExperimentState', {
      params: { id: pick(experiments, one) },
      body: { state_label: pick(ring, other) },
    }),
  place: ({ experiments, revision }, one, other) =>
    server.call('placeExperiment', {
      params: { id: pick(experiments, one) },
      body: { state: pick([...ring, `extra${revision}`], other), reason: 'a mistake' },
    }),
  moveSubject: ({ subjects, cohorts }, one, other) =>
    server.call('updateSubject', {
      params: { id: pick(subjects, one) },
      body: { cohort_label: pick(cohorts, other) },
    }),
  correctSubject: ({ experiments, subjects }, one, other) =>
    server.call('updateExperiment', {
      params: { id: pick(experiments, one) },
      body: { subject_id: pick(subjects, other) },
    }),
  upgrade: (study, one) => {
    study.revision++;
    return server.call('importWorkflow', {
      body: {
        workflow_definition: `label: ${study.workflow}\n${definition(study.revision)}`,
        state_map: { [`extra${study.revision - 1}`]: pick(ring, one) },
      },
    });
  },
  /** Somebody else comes in their place. */
  withdraw: async (study, one) => {
    const id = pick(study.subjects, one);
    const body = { reason: 'moved away', date: '2026-03-01' };
    const answer = await server.call('withdrawSubject', { params: { id }, body });
    const subject = { label: world.fresh('subject'), cohort_label: pick(study.cohorts, one) };
    const { body: next } = await server.call('createSubject', { body: subject });
    study.subjects = study.subjects.map((known) => (known === id ? next.id : known));
    return answer;
  },
  fold: () => foldCounts(server.database.db),
} satisfies Record<string, Doing>;

const doing = fc.record({
  name: fc.constantFrom(...(Object.keys(doings) as (keyof typeof doings)[])),
  one: fc.nat(1000),
  other: fc.nat(1000),
});
/** Those of one round happen at once. */
const rounds = fc.array(fc.array(doing, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 });

describe('the counts', () => {
  it('are what counting gives, whatever happens at once', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(rounds, async (given) => {
        const study = await createStudy();
        for (const round of given) {
          const answers = await Promise.all(
            round.map(async ({ name, one, other }) => ({ name, answer: await doings[name](study, one, other) })),
          );
          for (const { name, answer } of answers) {
            // Somebody may be in the way of somebody else; a fault of ours is none of that.
            expect(answer?.status, `${name} ${JSON.stringify(answer?.body)}`).not.toBe(500);
            if (!answer || answer.status < 300) seen.set(name, (seen.get(name) ?? 0) + 1);
          }
          expect(await wrongCounts(server.sql)).toEqual([]);
        }
      }),
      { numRuns: 15, seed, endOnFailure: true },
    );
    // A run in which something never came about shows nothing of it.
    expect(Object.keys(doings).filter((name) => (seen.get(name) ?? 0) < 3)).toEqual([]);
  });

  it('never leave the sum while experiments move and sums are folded', async () => {
    const study = await createStudy();
    const workflowId = await idOf('workflows', study.workflow);
    const ending = new AbortController();
    const turn = async (work: (n: number) => Promise<unknown>) => {
      for (let n = 0; !ending.signal.aborted; n++) await work(n);
    };
    const movers = study.experiments.map((_, index) => turn((n) => doings.place(study, index, n)));
    const folders = [1, 2].map(() => turn(() => foldCounts(server.database.db)));
    const sums: number[] = [];
    for (let n = 0; n < 300; n++) {
      const rows = await countStates(server.database.db, allCohorts, { workflowId });
      sums.push(rows.reduce((sum, { experiments }) => sum + experiments, 0));
    }
    ending.abort();
    await Promise.all([...movers, ...folders]);
    expect(new Set(sums)).toEqual(new Set([6]));
    expect(await wrongCounts(server.sql)).toEqual([]);
  });

  it('are folded into one row for each state and cohort, many at a time', async () => {
    const study = await createStudy();
    // A plan that was made for a small table, and kept, would hold each row of a large one against all others.
    await foldCounts(server.database.db);
    await server.sql('vacuum state_count_deltas');
    for (let turn = 0; turn < 10; turn++) await foldCounts(server.database.db);
    await server.sql(`insert into state_count_deltas select 1, 1, 1 from generate_series(1, 50000)`);
    await server.sql(`insert into state_count_deltas select 1, 1, -1 from generate_series(1, 50000)`);
    await foldCounts(server.database.db);
    expect(await server.sql('select from state_count_deltas')).toEqual([]);
    expect(await wrongCounts(server.sql)).toEqual([]);
    expect((await counts(study.workflow)).body.experiments).toBe(6);
  });

  it('are those of one cohort where one is named, and of the cohorts that the caller may see', async () => {
    const study = await createStudy();
    const [first, second, third] = await Promise.all(study.cohorts.map((label) => idOf('cohorts', label)));
    await doings.create(study, 0);
    await foldCounts(server.database.db);
    await doings.create(study, 0);
    expect((await counts(study.workflow)).body).toMatchObject({ cohort_id: null, experiments: 8 });
    expect((await counts(study.workflow, { cohort_id: first ?? 0 })).body).toMatchObject({
      cohort_id: first,
      experiments: 4,
    });
    const workflowId = await idOf('workflows', study.workflow);
    const seenBy = async (ids: number[], cohortId?: number) =>
      (await countStates(server.database.db, { kind: 'cohorts', ids }, { workflowId, cohortId })).map(
        ({ experiments }) => experiments,
      );
    expect(await seenBy([first ?? 0, second ?? 0])).toEqual([6, 0, 0, 0, 0]);
    expect(await seenBy([second ?? 0], first)).toEqual([0, 0, 0, 0, 0]);
    expect(await seenBy([])).toEqual([0, 0, 0, 0, 0]);
    expect(await seenBy([third ?? 0], third)).toEqual([2, 0, 0, 0, 0]);
  });

  it('name the experiments that failed, were too late, wait or are stopped, each once', async () => {
    const queue = world.fresh('queue').replace(' ', '_');
    const workflow = await world.importWorkflow(pulledWorkflow(queue, ', wait_timeout: 60'));
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push(await world.experimentOf(workflow));
    const [failed, late, waiting, stopped, moved] = ids as [number, number, number, number, number];
    const open = (experiment: number, kind: string) =>
      server.sql('insert into incidents (experiment_id, kind) values ($1, $2)', [experiment, kind]);
    await open(failed, 'failed');
    await open(late, 'timed_out');
    for (const kind of ['brake', 'unclaimed', 'no_way_on']) await open(stopped, kind);
    await server.sql(
      `insert into incidents (experiment_id, kind, closed_at) values ($1, 'failed', clock_timestamp())`,
      [late],
    );
    for (const id of [waiting, moved]) {
      const [execution] = await world.executionsOf(id);
      await server.call('updateCallbackExecution', { params: { id: execution?.id ?? 0 }, body: { status: 'waiting' } });
    }
    // It goes on waiting, but nothing depends on it any more.
    await server.call('setExperimentState', { params: { id: moved }, body: { state_label: 'other' } });
    const { body, of } = await counts(workflow);
    expect(of).toEqual({
      run: { experiments: 4, failed: 1, timed_out: 1, waiting: 1, blocked: 1 },
      good: { experiments: 0, failed: 0, timed_out: 0, waiting: 0, blocked: 0 },
      other: { experiments: 1, failed: 0, timed_out: 0, waiting: 0, blocked: 0 },
    });
    expect(body.experiments).toBe(5);
  });
});
