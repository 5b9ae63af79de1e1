/** Does to the place what the schedule says, each fault after its share of the load. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Probe } from './at-a-commit.ts';
import { endBusyWorker, freezeBusyWorker } from './busy-worker.ts';
import { withOwner } from './place/ask.ts';
import type { Trouble } from './place/link.ts';
import type { Place } from './place/place.ts';
import type { Postgres } from './place/postgres.ts';
import { members, type Fault, type Moment } from './schedule.ts';
import { until } from './until.ts';

export interface Load {
  /** The share of the load that is done. */
  progress: () => number;
  /** Moves that were acknowledged. */
  acknowledged: () => number;
  /** Tries without a known outcome. */
  unknown: () => number;
}

export interface Target {
  place: Place;
  load: Load;
  probe: Probe;
}

/** Answers when the last fault is over and everything is back. */
export async function inflictAll(target: Target, schedule: readonly Fault[]): Promise<void> {
  const { place, load } = target;
  const overlapping: Promise<void>[] = [];
  let workersTurn = Promise.resolve();
  for (const fault of schedule) {
    await until(`the next fault: ${fault.kind}`, () => load.progress() >= fault.after);
    // Processes may be down at the same time. But one worker has to be there to take over what another one runs.
    if (fault.kind === 'freeze worker') workersTurn = workersTurn.then(() => freezeBusyWorker(place, fault.member));
    else if (fault.kind === 'end worker') workersTurn = workersTurn.then(() => endBusyWorker(place, fault.member));
    else if (fault.kind === 'kill worker')
      overlapping.push(workersTurn.then(() => place.workers[fault.member]?.kill()));
    else if (fault.kind === 'kill server' && fault.moment === 'any') overlapping.push(killServer(place, fault.member));
    else await inflictAlone(target, fault);
  }
  await Promise.all([workersTurn, ...overlapping]);
}

type Alone = Exclude<Fault, { kind: 'kill worker' | 'freeze worker' | 'end worker' }>;

/** Those that come one at a time. */
async function inflictAlone(target: Target, fault: Alone): Promise<void> {
  const { place } = target;
  switch (fault.kind) {
    case 'kill server':
      return killAt(target, fault.moment, fault.member, () => killServer(place, fault.member));
    case 'kill database':
      await killAt(target, fault.moment, serverFor(fault), () => killDatabase(place));
      return untilMoved(target.load);
    case 'end connections':
      return endConnections(place, fault.picks);
    case 'end server':
      return place.endServer(fault.member);
    case 'trouble link':
      await troubleLink(target, fault.how);
      return untilMoved(target.load);
  }
}

/** Which server's request a kill of the database is to hit. */
const serverFor = ({ after }: Fault): number => Math.floor(after * 1000) % members;

const killServer = async ({ servers }: Place, number: number): Promise<void> => servers[number]?.kill();

async function killAt({ probe }: Target, moment: Moment, server: number, kill: () => Promise<void>): Promise<void> {
  if (moment === 'before commit') return probe.killBeforeCommit(server, kill);
  if (moment === 'after commit') return probe.killAfterCommit(server, kill);
  return kill();
}

/** Enough to judge that people can work again. */
const movesBetween = 100;

function untilMoved({ acknowledged }: Load): Promise<void> {
  const wanted = acknowledged() + movesBetween;
  return until('requests are answered again', () => acknowledged() >= wanted);
}

/** Where there are too few connections, as after a kill of the database, the rest follows when there are more. */
async function endConnections({ postgres, tell }: Place, picks: readonly number[]): Promise<void> {
  await tell({ kind: 'fault', what: 'end connections' });
  for (let left = picks; left.length > 0;) {
    left = left.slice(await endSome(postgres, left));
    if (left.length > 0) await sleep(200);
  }
  await tell({ kind: 'back', what: 'end connections', count: picks.length });
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

/** As many as there are clients: each of them meets the dead link. */
const failuresOverDeadLink = 16;
const movesOverSlowLink = 40;

async function troubleLink({ place: { link, tell }, load }: Target, how: Trouble): Promise<void> {
  await tell({ kind: 'fault', what: `${how} link` });
  const [moved, failed] = [load.acknowledged(), load.unknown()];
  link?.trouble(how);
  if (how === 'slow') await until('moves over a slow link', () => load.acknowledged() >= moved + movesOverSlowLink);
  if (how === 'dead') await until('failures over a dead link', () => load.unknown() >= failed + failuresOverDeadLink);
  link?.heal();
  await tell({ kind: 'back', what: `${how} link` });
}
