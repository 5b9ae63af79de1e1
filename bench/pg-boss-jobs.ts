/** pg-boss alone: empty jobs, fetched and completed 50 at a time by two processes. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { withClient } from '../packages/server/testing/postgres-server.ts';
import { query, type BenchDatabase } from './database.ts';
import type { Side } from './sides.ts';

const file = fileURLToPath(new URL('./bare-worker.ts', import.meta.url));

export function bossSide({ appUrl, ownerUrl }: BenchDatabase): Side {
  let workers: ChildProcess[] = [];
  return {
    name: 'pg-boss',
    nodes: () => workers.flatMap(({ pid }) => pid ?? []),
    open: async (count) => {
      await query(ownerUrl, `delete from pgboss.job where name = 'bare'`);
      workers = Array.from({ length: 2 }, () => fork(file, [appUrl], { execArgv: ['--conditions=source'] }));
      await Promise.all(workers.map((worker) => once(worker, 'message')));
      const [first] = workers;
      first?.send(count);
      if (first) await once(first, 'message');
    },
    run: async (count) => {
      for (const worker of workers) worker.kill('SIGUSR2');
      return { operations: count, seconds: await untilCompleted(ownerUrl) };
    },
    close: async () => {
      await Promise.all(workers.map((worker) => (worker.kill(), once(worker, 'exit'))));
    },
  };
}

/** Returns how long the jobs took from the first start to the last end. */
const untilCompleted = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ open: boolean; seconds: string }>(
        `select bool_or(state < 'completed') as open, extract(epoch from max(completed_on) - min(started_on)) as seconds
         from pgboss.job where name = 'bare'`,
      );
      const [row] = rows;
      if (row?.open === false) return Number(row.seconds);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });
