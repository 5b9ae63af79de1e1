/** Does to the place what the schedule says, each fault at its time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { withOwner } from './place/ask.ts';
import type { Trouble } from './place/link.ts';
import type { Place } from './place/place.ts';
import type { Postgres } from './place/postgres.ts';
import type { Fault } from './schedule.ts';

/** Answers when the last fault is over and everything is back. */
export async function inflictAll(place: Place, schedule: readonly Fault[]): Promise<void> {
  const start = performance.now();
  const inflicted: Promise<void>[] = [];
  for (const fault of schedule) {
    await sleep(Math.max(0, start + fault.atMs - performance.now()));
    inflicted.push(inflict(place, fault));
  }
  await Promise.all(inflicted);
}

async function inflict(place: Place, fault: Fault): Promise<void> {
  switch (fault.kind) {
    case 'kill server':
      return place.servers[fault.member]?.kill();
    case 'kill worker':
      return place.workers[fault.member]?.kill();
    case 'freeze worker':
      return place.workers[fault.member]?.freeze(fault.forMs);
    case 'end connections':
      return endConnections(place, fault.picks);
    case 'kill database':
      return killDatabase(place);
    case 'end server':
      return place.endServer(fault.member);
    case 'end worker':
      return place.workers[fault.member]?.end();
    case 'trouble link':
      return troubleLink(place, fault.how, fault.forMs);
  }
}

const longestSearchMs = 20_000;

/** Where the database is away at this moment, or has too few connections just after its return, the rest follows soon. */
async function endConnections({ postgres, tell }: Place, picks: readonly number[]): Promise<void> {
  const until = performance.now() + longestSearchMs;
  for (let left = picks; left.length > 0 && performance.now() < until;) {
    const ended = await endSome(postgres, left).catch(() => 0);
    if (ended > 0) await tell({ kind: 'fault', what: 'end connections', count: ended });
    left = left.slice(ended);
    if (left.length > 0) await sleep(200);
  }
}

/** Of those that are there now, as the picks say. Answers how many it ended. */
const endSome = (postgres: Postgres, picks: readonly number[]): Promise<number> =>
  withOwner(postgres, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where usename = 'faults_app' order by backend_start, pid`,
    );
    const chosen = picks.flatMap((pick) => rows.splice(pick % Math.max(1, rows.length), 1)).map(({ pid }) => pid);
    const { rows: ended } = await client.query<{ done: boolean }>(
      'select pg_terminate_backend(pid) as done from unnest($1::int[]) as pid',
      [chosen],
    );
    return ended.filter(({ done }) => done).length;
  });

async function killDatabase({ postgres, tell }: Place): Promise<void> {
  await tell({ kind: 'fault', what: 'kill database' });
  await postgres.killAndRestart();
  await tell({ kind: 'back', what: 'kill database' });
}

async function troubleLink({ link, tell }: Place, how: Trouble, forMs: number): Promise<void> {
  await tell({ kind: 'fault', what: `${how} link` });
  link?.trouble(how);
  // Everything is cut at once, and over.
  if (how !== 'reset') await sleep(forMs);
  link?.heal();
  await tell({ kind: 'back', what: `${how} link` });
}
