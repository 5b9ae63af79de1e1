/** pg-boss alone: fetches and completes empty jobs, 50 at a time, as fast as possible. On request it first creates them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';

const boss = new PgBoss({ connectionString: process.argv[2] ?? '', schema: 'pgboss', migrate: false, schedule: false });
boss.on('error', console.error);
await boss.start();
await boss.createQueue('bare');
process.on('message', (count: number) => void fill(count));
process.send?.('ready');

async function fill(count: number): Promise<void> {
  for (let made = 0; made < count; made += 1000) {
    const jobs = Array.from({ length: 1000 }, (_, n) => ({ data: { execution_id: made + n }, startAfter: 0 }));
    await boss.insert('bare', jobs);
  }
  process.send?.('filled');
}

/** Both processes start when all jobs exist. */
process.once('SIGUSR2', () => void drain());

async function drain(): Promise<never> {
  for (;;) {
    const jobs = await boss.fetch('bare', { batchSize: 50 });
    if (jobs.length === 0) await sleep(100);
    else await boss.complete('bare', jobs);
  }
}
