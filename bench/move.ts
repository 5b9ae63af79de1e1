/**
 * `npm run bench -- move`: moves over HTTP with Basic authentication, history and event, without a callback, relative to
 * pgbench writing the same rows. Both alternate on the same database. The result is the ratio.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { basic } from '@milepost/api';
import { query, withDatabase, type BenchDatabase } from './database.ts';
import { median, rounded, spreadOf, type Row } from './result.ts';
import { password, withServer } from './server.ts';

const run = promisify(execFile);
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const connections = '16';
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);
const rounds = 3;
const goal = 0.6;

export const benchMove = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    await prepare(database);
    const settings = { DATABASE_URL: database.appUrl, MILEPOST_POOL_SIZE: connections };
    const ratios = await withServer(settings, ({ url }) => measure(url, database.appUrl));
    const figure = rounded(median(ratios));
    return [{ name: 'move', goal, figure, unit: 'of pgbench', spread: spreadOf(ratios), met: figure >= goal }];
  });

/** 10,000 experiments in a state with a transition to itself, created with SQL. */
const prepare = ({ ownerUrl }: BenchDatabase): Promise<void> =>
  query(
    ownerUrl,
    `insert into cohorts (label) values ('bench')`,
    `insert into subjects (cohort_id, label) select 1, 's' || n from generate_series(1, 10000) n`,
    `insert into workflows (label) values ('bench')`,
    `insert into states (workflow_id, label, position) values (1, 'resting', 0)`,
    `update workflows set initial_state_id = 1`,
    `insert into transitions (workflow_id, kind, source_state_id, destination_state_id)
     values (1, 'entry', 1, 1), (1, 'defined', 1, 1)`,
    `insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence)
     select id, 1, 1, 1, 'e', 1 from subjects`,
    `insert into actions (experiment_id, sequence, transition_id, start_time, end_time, success, return_value, actor_kind)
     select id, 1, 1, now(), now(), true, 'No callback for state', 'operator' from experiments`,
    'vacuum analyze',
  );

async function measure(serverUrl: string, databaseUrl: string): Promise<number[]> {
  await movesPerSecond(serverUrl, 5);
  await barePerSecond(databaseUrl, 5);
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const [http, bare] = [await movesPerSecond(serverUrl, seconds), await barePerSecond(databaseUrl, seconds)];
    ratios.push(http / bare);
    console.log(
      `round ${round}: ${http.toFixed(0)} moves/s over HTTP, ${bare.toFixed(0)} in pgbench, ratio ${(http / bare).toFixed(2)}`,
    );
  }
  return ratios;
}

/** Fails if more than about 1 % of the moves fail. */
async function movesPerSecond(url: string, duration: number): Promise<number> {
  const flags = ['-t', '1', '-c', connections, '-d', `${duration}s`, '-s', file('./move.lua'), url];
  const { stdout } = await run('wrk', flags, {
    env: { ...process.env, BENCH_AUTHORIZATION: basic('admin', password) },
  });
  const [, moved = 0, failed = 0, microseconds = 0] = /^BENCH (\d+) (\d+) (\d+)$/m.exec(stdout)?.map(Number) ?? [];
  if (failed > moved / 100) throw new Error(`${failed} of ${moved + failed} moves failed:\n${stdout}`);
  return moved / (microseconds / 1e6);
}

async function barePerSecond(url: string, duration: number): Promise<number> {
  const flags = [
    '-n',
    '-M',
    'prepared',
    '-c',
    connections,
    '-j',
    '1',
    '-T',
    String(duration),
    '-f',
    file('./move.sql'),
    url,
  ];
  const { stdout } = await run(process.env['PGBENCH'] ?? '/usr/lib/postgresql/15/bin/pgbench', flags);
  return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
}
