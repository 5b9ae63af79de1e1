/**
 * `npm run bench -- counts`: the time of GET /workflows/{id}/counts with many experiments relative to few, both with the same
 * number of unfolded changes and open incidents. BENCH_EXPERIMENTS sets the large number.
 */
import { basic } from '@milepost/api';
import { query, withDatabase, type BenchDatabase } from './database.ts';
import { limitOf, measureUse } from './limit.ts';
import { atMost, median, type Row } from './result.ts';
import { password, withServer } from './server.ts';

export const few = 10_000;
const many = Number(process.env['BENCH_EXPERIMENTS'] ?? 1_000_000);
const rounds = 5;
const requests = 200;
const goal = 2;

export const benchCounts = (): Promise<Row[]> =>
  withDatabase((small) =>
    withDatabase(async (large) => {
      await prepare(small, few);
      await prepare(large, many);
      const { result: ratios, use } = await withServer({ DATABASE_URL: small.appUrl }, (one) =>
        withServer({ DATABASE_URL: large.appUrl }, (other) => {
          const processes = { Node: [one.pid, other.pid], PostgreSQL: [small.pid, large.pid] };
          return measureUse(large.ownerUrl, processes, () => compare(one.baseUrl, other.baseUrl));
        }),
      );
      const name = `counts, p95 at ${many.toLocaleString('en')} experiments`;
      const unit = `of that at ${few.toLocaleString('en')}`;
      return [atMost(goal, { name, unit, rounds: ratios, limit: limitOf([use]) })];
    }),
  );

/** 20 states, 10 cohorts, 1,000 open incidents, 10,000 unfolded changes. */
export const prepare = ({ ownerUrl }: BenchDatabase, experiments: number): Promise<void> =>
  query(
    ownerUrl,
    `insert into cohorts (label) select 'cohort ' || n from generate_series(1, 10) n`,
    `insert into subjects (cohort_id, label) select 1 + n % 10, 's' || n from generate_series(1, ${experiments / 10}) n`,
    `insert into workflows (label) values ('bench')`,
    `insert into states (workflow_id, label, position) select 1, 'state ' || n, n from generate_series(1, 20) n`,
    `update workflows set initial_state_id = 1`,
    `insert into transitions (workflow_id, kind, source_state_id, destination_state_id)
     values (1, 'entry', 1, 1), (1, 'defined', 1, 2)`,
    `insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence)
     select subjects.id, cohort_id, 1, 1 + (subjects.id * 7 + n) % 20, 'e' || n, 1 from subjects, generate_series(1, 10) n`,
    `insert into state_counts select state_id, cohort_id, count(*) from experiments group by state_id, cohort_id`,
    `insert into state_count_deltas
     select 1 + n / 2 % 20, 1 + n / 2 % 10, 1 - 2 * (n % 2) from generate_series(0, 9999) n`,
    `insert into incidents (experiment_id, kind) select 1 + n * ${experiments / 1000}, 'failed' from generate_series(0, 999) n`,
    'vacuum analyze',
  );

async function compare(small: string, large: string): Promise<number[]> {
  await times([small, large]);
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const [one = [], other = []] = await times([small, large]);
    const [p95Small, p95Large] = [p95(one), p95(other)];
    ratios.push(p95Large / p95Small);
    console.log(
      `round ${round}: p95 ${p95Small.toFixed(1)} ms at ${few}, ${p95Large.toFixed(1)} ms at ${many}; ` +
        `medians ${median(one).toFixed(1)} and ${median(other).toFixed(1)} ms`,
    );
  }
  return ratios;
}

const p95 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;

/** One request at a time, alternating between the servers. */
async function times(baseUrls: readonly string[]): Promise<number[][]> {
  const measured: number[][] = baseUrls.map(() => []);
  const headers = { authorization: basic('admin', password) };
  for (let n = 0; n < requests; n++) {
    for (const [index, url] of baseUrls.entries()) {
      const start = performance.now();
      const response = await fetch(`${url}/workflows/1/counts`, { headers });
      await response.text();
      measured[index]?.push(performance.now() - start);
      if (response.status !== 200) throw new Error(`counts returned ${response.status}`);
    }
  }
  return measured;
}
