/**
 * `npm run bench -- growth`: what requests cost in larger and larger studies, relative to one of 10,000 experiments: their buffers, which do
 * not depend on the machine, and their time. BENCH_SIZES=100000,1000000 chooses the sizes.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '../packages/server/testing/postgres-server.ts';
import { withDatabase, type BenchDatabase } from './database.ts';
import { makeGrowingStudy } from './growing-study.ts';
import { send, type Request } from './http-client.ts';
import { few, states } from './large-study.ts';
import { atMost, median, type Row } from './result.ts';
import { withServer } from './server.ts';
import { buffersDuring } from './statements.ts';

const sizes = (process.env['BENCH_SIZES'] ?? '100000,1000000').split(',').map(Number);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const requestsPerRound = 200;
const requestsForBuffers = 100;

interface Study {
  database: BenchDatabase;
  baseUrl: string;
  experiments: number;
  /** Each experiment is moved once. */
  moves: { id: number; next: string }[];
}

interface Operation {
  name: string;
  /** At most this many times as much as with 10,000 experiments. */
  goal: number;
  /** A request that is sent for the nth time. */
  request: (study: Study, n: number) => Request;
}

/** Experiments of all ages. */
const someId = ({ experiments }: Study, n: number) => 1 + ((n * 7919) % experiments);
const get = (path: string): Request => ({ method: 'GET', path });
const reading = (name: string, path: (study: Study, n: number) => string, goal = 1.5): Operation => ({
  name,
  goal,
  request: (study, n) => get(path(study, n)),
});
const search = (q: string) => () => `/experiments/search?q=${encodeURIComponent(q)}`;
const listed = '/experiments?state=state%207&limit=100';

const operations: Operation[] = [
  { name: 'move', goal: 1.5, request: (study) => moveOf(study) },
  reading('read', (study, n) => `/experiments/${someId(study, n)}`),
  reading('timeline', (study, n) => `/experiments/${someId(study, n)}/timeline`),
  reading('list', () => listed),
  // One more page follows.
  reading('last page of the list', ({ experiments }) => `${listed}&after=${experiments - 200 * states}`),
  reading('search by state and cohort', search('state:"state 7" cohort:"cohort 3"')),
  reading('search by incident', search('incident:failed')),
  reading('search for an external ID', (study, n) => search(`XNAT_E${String(someId(study, n)).padStart(7, '0')}`)()),
  reading('attention', () => '/attention'),
  reading('counts', () => '/workflows/1/counts', 2),
  reading('durations', () => '/workflows/1/durations'),
];

function moveOf({ moves }: Study): Request {
  const move = moves.pop();
  if (!move) throw new Error('All experiments of the sample were moved.');
  return { method: 'PUT', path: `/experiments/${move.id}/state`, body: { state_label: move.next } };
}

export const benchGrowth = (): Promise<Row[]> =>
  withStudy(few, async (small) => {
    const rows: Row[] = [];
    for (const size of sizes) rows.push(...(await withStudy(size, (large) => compare(small, large))));
    return rows;
  });

const withStudy = <T>(experiments: number, use: (study: Study) => Promise<T>): Promise<T> =>
  withDatabase(async (database) => {
    // Its first start creates the administrator.
    await withServer({ DATABASE_URL: database.appUrl }, () => Promise.resolve());
    const start = performance.now();
    await makeGrowingStudy(database, experiments);
    console.log(`built ${experiments} experiments in ${((performance.now() - start) / 1000).toFixed(0)} s`);
    const moves = await chooseMoves(database);
    return withServer({ DATABASE_URL: database.appUrl }, ({ baseUrl }) =>
      use({ database, baseUrl, experiments, moves }),
    );
  });

/** Half of the experiments of the smallest study, in a random order. */
const chooseMoves = ({ ownerUrl }: BenchDatabase): Promise<Study['moves']> =>
  withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<Study['moves'][number]>(
      `select experiments.id::int as id, next.label as next from experiments
       join transitions on source_state_id = state_id and kind = 'defined' join states as next on next.id = destination_state_id
       order by hashint8(experiments.id) limit ${few / 2}`,
    );
    return rows;
  });

async function compare(small: Study, large: Study): Promise<Row[]> {
  const rows: Row[] = [];
  for (const operation of operations) rows.push(...(await compareOne(operation, small, large)));
  return rows;
}

async function compareOne(operation: Operation, small: Study, large: Study): Promise<Row[]> {
  const { name, goal } = operation;
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) ratios.push(await ratioOfTimes(operation, large, small));
  const buffers = { small: await buffersOf(operation, small), large: await buffersOf(operation, large) };
  const of = (what: string) => `growth, ${what} of ${name}, ${large.experiments.toLocaleString('en')} experiments`;
  const unit = `of that with ${few.toLocaleString('en')}`;
  const limit = `${buffers.large} buffers; ${buffers.small} with ${few.toLocaleString('en')} experiments.`;
  return [
    atMost(goal, { name: of('buffers'), unit, rounds: [buffers.large / buffers.small], limit }),
    atMost(goal, { name: of('median time'), unit, rounds: ratios, limit }),
  ];
}

/** The requests alternate between the two studies. */
async function ratioOfTimes({ request }: Operation, one: Study, other: Study): Promise<number> {
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < requestsPerRound; n++)
    for (const [index, study] of [one, other].entries()) times[index]?.push(await timeOf(study, request(study, n)));
  return median(times[0]) / median(times[1]);
}

async function timeOf({ baseUrl }: Study, request: Request): Promise<number> {
  const start = performance.now();
  await send(baseUrl, request);
  return performance.now() - start;
}

async function buffersOf({ request }: Operation, study: Study): Promise<number> {
  const buffers = await buffersDuring(study.database, async () => {
    for (let n = 0; n < requestsForBuffers; n++) await send(study.baseUrl, request(study, n));
    // The counts of a statement are complete when it has ended.
    await pause(100);
  });
  return Math.round(buffers / requestsForBuffers);
}
