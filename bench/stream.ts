/**
 * `npm run bench -- stream`: MB/s of GET /experiments without a limit, relative to COPY of the same JSON to psql on the same
 * database, and how much the memory of the server grows meanwhile.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { BenchDatabase } from './database.ts';
import { readLength } from './http-client.ts';
import { many, studies } from './large-study.ts';
import { readMemory, resetPeak } from './memory.ts';
import { atLeast, atMost, withoutGoal, type Row } from './result.ts';
import { withServer } from './server.ts';
import { alternate, compare, speedOf, type MeasuredSide, type Side } from './sides.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const goal = 0.5;
const goalMb = 100;
const psql = process.env['PSQL'] ?? '/usr/lib/postgresql/15/bin/psql';

export async function benchStream(): Promise<Row[]> {
  const { large: database } = await studies();
  return withServer({ DATABASE_URL: database.appUrl }, async ({ baseUrl, pid }) => {
    const growth: number[] = [];
    const { resident } = await readMemory(pid);
    const product: Side = {
      name: 'product',
      nodes: () => [pid],
      open: () => resetPeak(pid),
      run: () => timed(() => readLength(`${baseUrl}/experiments`)),
      close: async () => void growth.push((await readMemory(pid)).peak - resident),
    };
    const copy: Side = { name: 'COPY', nodes: () => [], run: () => timed(() => copyLength(database)) };
    await expectSameLength(product, copy);
    const options = { database, rounds, size: 1, warmUp: 0, counted: 0 };
    return rowsOf(await alternate({ product, copy }, options), growth);
  });
}

const shownMany = many.toLocaleString('en');

function rowsOf({ product, copy }: Record<'product' | 'copy', MeasuredSide>, growth: readonly number[]): Row[] {
  const { limit } = speedOf(product);
  return [
    atLeast(goal, { name: `stream, ${shownMany} experiments`, ...compare(product, copy) }),
    atMost(goalMb, { name: 'stream, growth of memory', unit: 'MB', rounds: growth, limit }),
    withoutGoal({ name: 'stream in MB', ...speedOf(product) }),
    withoutGoal({ name: 'COPY in MB', ...speedOf(copy) }),
  ];
}

/** An operation is 1 MB. */
async function timed(read: () => Promise<number>) {
  const start = performance.now();
  const bytes = await read();
  return { operations: bytes / 1e6, seconds: (performance.now() - start) / 1000 };
}

const statement = `copy (
  select row_to_json(one) from (
    select id, label, '/api/v2/experiments/' || id as uri from experiments order by id) one) to stdout`;

async function copyLength({ appUrl }: BenchDatabase): Promise<number> {
  const child = spawn(psql, ['-X', '-c', statement, appUrl], { stdio: ['ignore', 'pipe', 'inherit'] });
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`psql exited with code ${code}`);
  return bytes;
}

/** The response has a comma where COPY has a line break, and a few characters around the array. */
async function expectSameLength(product: Side, copy: Side): Promise<void> {
  const [one, other] = [await product.run(1), await copy.run(1)];
  const difference = Math.abs(one.operations - other.operations) * 1e6;
  if (difference > 50) throw new Error(`The lengths differ by ${Math.round(difference)} bytes`);
}
