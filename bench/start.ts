/**
 * `npm run bench -- start`: the time from `milepost serve` to a ready server, and the memory of the server after some seconds
 * without requests. Starts the built files, which the package contains, on a migrated database.
 */
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServerProcess } from '../packages/server/testing/processes/server-process.ts';
import { compilePackages } from '../tools/build-packages.ts';
import { withDatabase, type BenchDatabase } from './database.ts';
import { limitOf, measureUse, type Use } from './limit.ts';
import { readMemory, type Memory } from './memory.ts';
import { atMost, median, type Row } from './result.ts';
import { password } from './server.ts';

const rounds = 5;
const restSeconds = 5;
const goalSeconds = 3;
const goalMb = 200;
const file = fileURLToPath(new URL('../packages/milepost/dist/milepost.js', import.meta.url));

interface Start {
  seconds: number;
  use: Use;
  memory: Memory;
}

export const benchStart = (): Promise<Row[]> =>
  withDatabase(async (database) => {
    if (!(await compilePackages())) throw new Error('The packages do not compile.');
    // The first start creates the first user.
    await start(database);
    const starts: Start[] = [];
    for (let round = 1; round <= rounds; round++) {
      const one = await start(database);
      starts.push(one);
      console.log(`round ${round}: ${one.seconds.toFixed(2)} s, ${one.memory.resident.toFixed(0)} MB`);
    }
    return rowsOf(starts);
  });

const rowsOf = (starts: readonly Start[]): Row[] => [
  atMost(goalSeconds, {
    name: 'start',
    unit: 's',
    rounds: starts.map(({ seconds }) => seconds),
    limit: limitOf(starts.map(({ use }) => use)),
  }),
  atMost(goalMb, {
    name: 'start, memory at rest',
    unit: 'MB',
    rounds: starts.map(({ memory }) => memory.resident),
    limit: limitOfMemory(starts.map(({ memory }) => memory)),
  }),
];

function limitOfMemory(measured: readonly Memory[]): string {
  const own = median(measured.map(({ resident, files }) => resident - files));
  const ofFiles = median(measured.map(({ files }) => files));
  return `memory: ${own.toFixed(0)} MB of its own, ${ofFiles.toFixed(0)} MB of files such as Node itself`;
}

async function start({ appUrl, ownerUrl, pid }: BenchDatabase): Promise<Start> {
  // Filled while the CPU is measured, so that all of the time of the new process counts.
  const nodes: number[] = [];
  const settings = { DATABASE_URL: appUrl, MILEPOST_ADMIN_PASSWORD: password };
  const { result: server, use } = await measureUse(ownerUrl, { Node: nodes, PostgreSQL: pid }, async () => {
    const started = await startServerProcess(settings, { file, flags: [], args: ['serve'] });
    nodes.push(started.pid);
    return started;
  });
  await sleep(restSeconds * 1000);
  const memory = await readMemory(server.pid);
  await server.stop();
  return { seconds: use.cpu.seconds, use, memory };
}
