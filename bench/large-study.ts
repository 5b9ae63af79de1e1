/**
 * Two studies that only differ in their size, on one PostgreSQL each. They are built when a benchmark first needs them, and the
 * benchmarks of a run share them, so these must not change them.
 */
import { query, withDatabase, type BenchDatabase } from './database.ts';

export const few = 10_000;
export const many = Number(process.env['BENCH_EXPERIMENTS'] ?? 1_000_000);
export const states = 20;

export interface Studies {
  small: BenchDatabase;
  large: BenchDatabase;
}

let built: Promise<Studies> | undefined;
let closing: Promise<void> | undefined;
const released = Promise.withResolvers<void>();

export const studies = (): Promise<Studies> => (built ??= build());

export async function closeStudies(): Promise<void> {
  released.resolve();
  await closing;
}

function build(): Promise<Studies> {
  const { promise, resolve, reject } = Promise.withResolvers<Studies>();
  closing = withDatabase((small) =>
    withDatabase(async (large) => {
      await makeLargeStudy(small, few);
      const start = performance.now();
      await makeLargeStudy(large, many);
      console.log(`built ${many} experiments in ${((performance.now() - start) / 1000).toFixed(0)} s`);
      resolve({ small, large });
      await released.promise;
    }),
  ).catch(reject);
  return promise;
}

/**
 * 20 states in a circle, 10 cohorts, 10 experiments per subject, 2 actions per experiment, 1,000 open incidents, 10,000 unfolded
 * changes of the counts. Experiments were created one after the other, and then moved in a random order. Foreign keys are not checked
 * while the rows are inserted.
 */
export const makeLargeStudy = ({ ownerUrl }: BenchDatabase, experiments: number): Promise<void> =>
  query(
    ownerUrl,
    `set session_replication_role = replica`,
    `insert into cohorts (label) select 'cohort ' || n from generate_series(1, 10) n`,
    `insert into subjects (cohort_id, label) select 1 + n % 10, 's' || n from generate_series(1, ${experiments / 10}) n`,
    `insert into workflows (label) values ('bench')`,
    `insert into states (workflow_id, label, position) select 1, 'state ' || n, n from generate_series(1, ${states}) n`,
    `update workflows set initial_state_id = 1`,
    `insert into transitions (workflow_id, kind, source_state_id, destination_state_id)
     select 1, case n when 0 then 'entry' else 'defined' end, greatest(n, 1), n % ${states} + 1 from generate_series(0, ${states}) n order by n`,
    `insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence)
     select subjects.id, cohort_id, 1, 1 + (subjects.id * 7 + n) % ${states}, 'e' || n, 2 from subjects, generate_series(1, 10) n`,
    `insert into actions (experiment_id, sequence, transition_id, start_time, end_time, success, return_value, actor_kind)
     select id, n, case n when 1 then 1 else (state_id + ${states - 2}) % ${states} + 2 end, at, at, true, 'No callback for state', 'operator'
     from (
       select id, n, state_id, now() - (${2 * experiments} - row_number() over (order by n, hashint8(id))) * interval '8 s' as at
       from experiments, generate_series(1, 2) n order by n, hashint8(id)) made`,
    `insert into state_counts select state_id, cohort_id, count(*) from experiments group by state_id, cohort_id`,
    `insert into state_count_deltas
     select 1 + n / 2 % ${states}, 1 + n / 2 % 10, 1 - 2 * (n % 2) from generate_series(0, 9999) n`,
    `insert into incidents (experiment_id, kind, action_id)
     select experiment_id, 'failed', id from actions
     where sequence = 2 and experiment_id % ${experiments / 1000} = 1 order by id`,
    'vacuum analyze',
    'checkpoint',
  );
