/**
 * `npm run bench -- move`: moves over HTTP with Basic authentication, history and event, without a callback, beside
 * pgbench that writes the same rows bare. Both run on the same database, in turns; what counts is the ratio.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { basic } from '@milepost/api';
import { embeddedPostgres } from '../packages/server/src/database/embedded-postgres.ts';
import { migrate } from '../packages/server/src/database/migrate.ts';
import { startServerProcess } from '../packages/server/testing/server-process.ts';
import { withClient } from '../packages/server/testing/test-server.ts';

const run = promisify(execFile);
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const connections = '16';
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);
const rounds = 3;
const password = 'correct horse battery staple';

export interface Row {
  name: string;
  goal: number;
  figure: number;
  unit: string;
  spread: number;
  met: boolean;
}

export async function benchMove(): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-bench-'));
  await chmod(folder, 0o755);
  const postgres = await embeddedPostgres({ folder, settings: { shared_buffers: '512MB', max_wal_size: '4GB' } });
  try {
    return await measure(await prepare(postgres.url));
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** 10,000 experiments in a state that leads to itself, made inside the database. */
async function prepare(superuserUrl: string) {
  await query(superuserUrl, `create role bench login password 'bench'`, 'create database bench template template0');
  const ownerUrl = Object.assign(new URL(superuserUrl), { pathname: '/bench' }).href;
  await migrate({ ownerUrl, appRole: 'bench' });
  await query(
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
  return { ownerUrl, appUrl: Object.assign(new URL(ownerUrl), { username: 'bench', password: 'bench' }).href };
}

const query = (url: string, ...statements: string[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

async function measure({ appUrl }: { appUrl: string }): Promise<Row> {
  const server = await startServerProcess({
    DATABASE_URL: appUrl,
    MILEPOST_ADMIN_PASSWORD: password,
    MILEPOST_POOL_SIZE: connections,
  });
  try {
    await movesPerSecond(server.url, 5);
    await barePerSecond(appUrl, 5);
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const [over, bare] = [await movesPerSecond(server.url, seconds), await barePerSecond(appUrl, seconds)];
      ratios.push(over / bare);
      console.log(
        `round ${round}: ${over.toFixed(0)} moves/s over HTTP, ${bare.toFixed(0)} bare, ratio ${(over / bare).toFixed(2)}`,
      );
    }
    const sorted = ratios.toSorted((a, b) => a - b);
    const figure = Number((sorted[Math.floor(rounds / 2)] ?? 0).toFixed(3));
    const spread = Number(((sorted.at(-1) ?? 0) - (sorted[0] ?? 0)).toFixed(3));
    return { name: 'move', goal: 0.6, figure, unit: 'of pgbench', spread, met: figure >= 0.6 };
  } finally {
    await server.stop();
  }
}

/** A refused move makes the measurement void. */
async function movesPerSecond(url: string, duration: number): Promise<number> {
  const flags = ['-t', '1', '-c', connections, '-d', `${duration}s`, '-s', file('./move.lua'), url];
  const { stdout } = await run('wrk', flags, {
    env: { ...process.env, BENCH_AUTHORIZATION: basic('admin', password) },
  });
  const [, moved = 0, refused = 0, microseconds = 0] = /^BENCH (\d+) (\d+) (\d+)$/m.exec(stdout)?.map(Number) ?? [];
  if (refused > moved / 100) throw new Error(`${refused} of ${moved + refused} moves were refused:\n${stdout}`);
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
