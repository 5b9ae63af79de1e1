/**
 * `npm run bench -- insights`: the page of Insights with a million experiments of ten moves each relative to 10,000: rows, buffers and time.
 * Before, the figures are counted from the beginning, which shows how many moves per second the task counts.
 */
import type { Insights } from '@milepost/api';
import pg from 'pg';
import type { Static } from 'typebox';
import { openDatabase, type Db } from '../packages/server/src/database/connection.ts';
import { countInsights } from '../packages/server/src/engine/insights/count-insights.ts';
import { everything } from '../packages/server/src/http/field-mask.ts';
import { createLinks } from '../packages/server/src/links.ts';
import { insightHandlers } from '../packages/server/src/routes/insights/insights.ts';
import { allCohorts } from '../packages/server/src/store/scope.ts';
import { query, withDatabase, type BenchDatabase } from './database.ts';
import { makeFlowingStudy, movesPerExperiment } from './flowing-study.ts';
import { explain, recordStatements, type Cost } from './read-cost.ts';
import { atLeast, atMost, median, type Row } from './result.ts';

const few = 10_000;
const many = Number(process.env['BENCH_EXPERIMENTS'] ?? 1_000_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const requestsPerRound = 20;
/** What a study of this size moves at most. */
const movesPerSecond = 500;

const links = createLinks({ basePath: '/api/v1', publicUrl: () => 'http://localhost' });

type Handler = (call: object) => Promise<{ body: Static<typeof Insights> }>;
const getInsights = insightHandlers.getInsights as unknown as Handler;

async function readPage(db: Db) {
  const account = { scope: allCohorts, permissions: new Set(['audit_read']) };
  const { body } = await getInsights({
    database: { db },
    account,
    links,
    query: { workflow_id: 1 },
    fields: everything,
  });
  return body;
}

interface Study {
  db: Db;
  cost: Cost;
  counted: number;
}

const sent = recordStatements();

async function countedPerSecond(db: Db, moves: number): Promise<number> {
  const start = performance.now();
  await countInsights(db);
  return moves / ((performance.now() - start) / 1000);
}

async function costOfPage(db: Db, url: string): Promise<Cost> {
  sent.length = 0;
  const { experiments, flow, stays, failures, forecasts, variables, decisions } = await readPage(db);
  const parts = { experiments, flow, stays, failures, forecasts, variables, decisions };
  const empty = Object.entries(parts).find(([, part]) => (Array.isArray(part) ? part.length === 0 : part === 0));
  if (empty) throw new Error(`The study has no ${empty[0]}.`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const cost = await explain(client, sent.splice(0));
  await client.end();
  return cost;
}

async function withStudy<T>(experiments: number, use: (study: Study) => Promise<T>): Promise<T> {
  return withDatabase(async (database: BenchDatabase) => {
    await makeFlowingStudy(database, experiments);
    const { appUrl: databaseUrl } = database;
    const opened = openDatabase({
      databaseUrl,
      poolSize: 1,
      streamPoolSize: 1,
      statementSeconds: 60,
      onError: console.error,
    });
    try {
      const counted = await countedPerSecond(opened.db, experiments * movesPerExperiment);
      await query(database.ownerUrl, 'vacuum analyze');
      const cost = await costOfPage(opened.db, databaseUrl);
      console.log(`${experiments} experiments: ${counted.toFixed(0)} moves/s counted, page`, cost);
      return await use({ db: opened.db, counted, cost });
    } finally {
      await opened.close();
    }
  });
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** The requests alternate between the two. */
async function ratioOfTimes(one: Db, other: Db): Promise<number> {
  const times: [number, number][] = [];
  for (let n = 0; n < requestsPerRound; n++)
    times.push([await timeOf(() => readPage(one)), await timeOf(() => readPage(other))]);
  return median(times.map(([first]) => first)) / median(times.map(([, second]) => second));
}

export const benchInsights = (): Promise<Row[]> =>
  withStudy(few, (small) =>
    withStudy(many, async (large) => {
      const ratios: number[] = [];
      for (let n = 0; n < rounds; n++) ratios.push(await ratioOfTimes(large.db, small.db));
      return rowsOf(small, large, ratios);
    }),
  );

function rowsOf(small: Study, large: Study, ratios: readonly number[]): Row[] {
  const unit = `of that with ${few.toLocaleString('en')} experiments`;
  const limit = 'The latest 1,000 stays of a state, and the figures of each day.';
  const ratio = (of: 'rows' | 'buffers') => large.cost[of] / small.cost[of];
  const detail = { ...large.cost, 'rows with few': small.cost.rows, 'buffers with few': small.cost.buffers };
  return [
    atMost(1.5, { name: 'insights, rows of the page', unit, rounds: [ratio('rows')], limit, detail }),
    atMost(1.5, { name: 'insights, buffers of the page', unit, rounds: [ratio('buffers')], limit }),
    atMost(1.5, { name: 'insights, time of the page', unit, rounds: ratios, limit }),
    atLeast(movesPerSecond, {
      name: 'insights, counted from the beginning',
      unit: 'moves/s',
      rounds: [large.counted],
      limit: 'One connection that reads actions by experiment and adds to rows of days.',
    }),
  ];
}
