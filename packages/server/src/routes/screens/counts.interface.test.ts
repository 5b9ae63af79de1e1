/**
 * Counts per state: exact after and during any changes to experiments, and while deltas are folded.
 *
 * @module-tag sql
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { seed } from '../../../../api/testing/seed.ts';
import { startTestServer, type Answer, type TestServer } from '../../../testing/server.ts';
import { wrongCounts } from '../../../testing/rows/true-counts.ts';
import { countStates, foldCounts, type StateCount } from '../../store/experiments/state-counts.ts';
import { allCohorts } from '../../store/scope.ts';

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

/** A workflow with several states and cohorts, whose experiments change concurrently. */
interface Study {
  workflow: string;
  cohorts: string[];
  subjects: number[];
  experiments: number[];
  /** The number of upgrades of the workflow. */
  revision: number;
}

const ring = ['a', 'b', 'c', 'd'];
const transitionsFrom = (from: string) =>
  ring.map((to) => `{destination: ${to}}`).filter((to) => !to.includes(` ${from}}`));
const state = (label: string) => `  - {label: ${label}, transitions: [${transitionsFrom(label).join(', ')}]}\n`;

/** Each revision has a state of its own and lacks that of the previous revision. */
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
  for (let n = 0; n < 6; n++) await changes.create(study, n);
  return study;
}

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

type Change = (study: Study, one: number, other: number) => Promise<Answer | void>;

const changes = {
  create: async (study: Study, one: number) => {
    const body = {
      label: world.fresh('experiment'),
      subject_id: pick(study.subjects, one),
      workflow_label: study.workflow,
    };
    const response = await server.call('createExperiment', { body });
    if (response.status === 201) study.experiments.push(response.body.id);
    return response;
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
  /** Also replaces the withdrawn subject with a new one. */
  withdraw: async (study, one) => {
    const id = pick(study.subjects, one);
    const body = { reason: 'moved away', date: '2026-03-01' };
    const response = await server.call('withdrawSubject', { params: { id }, body });
    const subject = { label: world.fresh('subject'), cohort_label: pick(study.cohorts, one) };
    const { body: next } = await server.call('createSubject', { body: subject });
    study.subjects = study.subjects.map((known) => (known === id ? next.id : known));
    return response;
  },
  fold: () => foldCounts(server.database.db),
} satisfies Record<string, Change>;

const change = fc.record({
  name: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
  one: fc.nat(1000),
  other: fc.nat(1000),
});
/** The changes of one round run concurrently. */
const rounds = fc.array(fc.array(change, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 });

describe('the counts per state', () => {
  it('match the experiments after any concurrent changes', async () => {
    const succeeded = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(rounds, async (given) => {
        const study = await createStudy();
        for (const round of given) {
          const responses = await Promise.all(
            round.map(async ({ name, one, other }) => ({ name, response: await changes[name](study, one, other) })),
          );
          for (const { name, response } of responses) {
            // Concurrent changes may conflict, but must not cause an internal error.
            expect(response?.status, `${name} ${JSON.stringify(response?.body)}`).not.toBe(500);
            if (!response || response.status < 300) succeeded.set(name, (succeeded.get(name) ?? 0) + 1);
          }
          expect(await wrongCounts(server.sql)).toEqual([]);
        }
      }),
      { numRuns: 15, seed, endOnFailure: true },
    );
    // A change that rarely succeeds would not be tested.
    expect(Object.keys(changes).filter((name) => (succeeded.get(name) ?? 0) < 3)).toEqual([]);
  });

  it('always add up to the same total while experiments move and deltas are folded', async () => {
    const study = await createStudy();
    const workflowId = await idOf('workflows', study.workflow);
    const stop = new AbortController();
    const repeat = async (work: (n: number) => Promise<unknown>) => {
      for (let n = 0; !stop.signal.aborted; n++) await work(n);
    };
    const movers = study.experiments.map((_, index) => repeat((n) => changes.place(study, index, n)));
    const folders = [1, 2].map(() => repeat(() => foldCounts(server.database.db)));
    const sums: number[] = [];
    for (let n = 0; n < 300; n++) {
      const rows = await countStates(server.database.db, allCohorts, { workflowId });
      sums.push(rows.reduce((sum, { experiments }) => sum + experiments, 0));
    }
    stop.abort();
    await Promise.all([...movers, ...folders]);
    expect(new Set(sums)).toEqual(new Set([6]));
    expect(await wrongCounts(server.sql)).toEqual([]);
  });

  it('stay correct when 100,000 deltas are folded in one call', async () => {
    const study = await createStudy();
    // A cached plan for a small table would compare each row of a large one with all others.
    await foldCounts(server.database.db);
    await server.sql('vacuum state_count_deltas');
    for (let n = 0; n < 10; n++) await foldCounts(server.database.db);
    await server.sql(`insert into state_count_deltas select 1, 1, 1 from generate_series(1, 50000)`);
    await server.sql(`insert into state_count_deltas select 1, 1, -1 from generate_series(1, 50000)`);
    await foldCounts(server.database.db);
    expect(await server.sql('select from state_count_deltas')).toEqual([]);
    expect(await wrongCounts(server.sql)).toEqual([]);
    expect((await counts(study.workflow)).body.experiments).toBe(6);
  });

  it('are limited to the requested cohort and to the cohorts that the caller can see', async () => {
    const study = await createStudy();
    const [first, second, third] = await Promise.all(study.cohorts.map((label) => idOf('cohorts', label)));
    await changes.create(study, 0);
    await foldCounts(server.database.db);
    await changes.create(study, 0);
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
});
