/** Injects the scheduled faults, each after its share of the load. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Probe } from './kill-around-commit.ts';
import { shutDownBusyWorker, freezeBusyWorker } from './busy-worker.ts';
import { injectOutage, type LongRuns } from './outage.ts';
import { withOwner } from './testbed/query.ts';
import type { LinkFault } from '../../packages/server/testing/counterparts/database-link.ts';
import type { Testbed } from './testbed/testbed.ts';
import type { Postgres } from './testbed/postgres.ts';
import { members, type Fault, type Moment } from './schedule.ts';
import { until } from './until.ts';

export interface Load {
  /** The completed share of the load. */
  progress: () => number;
  /** The number of acknowledged moves. */
  acknowledged: () => number;
  /** The number of attempts with an unknown outcome. */
  unknown: () => number;
}

export interface Target {
  testbed: Testbed;
  load: Load;
  probe: Probe;
  long: LongRuns;
}

/** Resolves when the last fault has ended and all processes are running again. */
export async function injectFaults(target: Target, schedule: readonly Fault[]): Promise<void> {
  const { testbed, load } = target;
  const overlapping: Promise<void>[] = [];
  let workerFaults = Promise.resolve();
  for (const fault of schedule) {
    await until(`the next fault is due: ${fault.kind}`, () => load.progress() >= fault.after);
    // Several processes may be down at the same time, but one worker must be running to take over the runs of the other.
    if (fault.kind === 'freeze worker') workerFaults = workerFaults.then(() => freezeBusyWorker(testbed, fault.member));
    else if (fault.kind === 'shut down worker')
      workerFaults = workerFaults.then(() => shutDownBusyWorker(testbed, fault.member));
    else if (fault.kind === 'kill worker')
      overlapping.push(workerFaults.then(() => testbed.workers[fault.member]?.kill()));
    else if (fault.kind === 'kill server' && fault.moment === 'any')
      overlapping.push(killServer(testbed, fault.member));
    else await injectAlone(target, fault);
  }
  await Promise.all([workerFaults, ...overlapping]);
}

type Alone = Exclude<Fault, { kind: 'kill worker' | 'freeze worker' | 'shut down worker' }>;

/** Injects faults that must not overlap. */
async function injectAlone(target: Target, fault: Alone): Promise<void> {
  const { testbed } = target;
  switch (fault.kind) {
    case 'kill server':
      return killAt(target, fault.moment, fault.member, () => killServer(testbed, fault.member));
    case 'kill database':
      await killAt(target, fault.moment, serverFor(fault), () => killDatabase(testbed));
      return untilMoved(target.load);
    case 'outage':
      return injectOutage(testbed, target.long, fault, () => untilMoved(target.load));
    case 'close connections':
      return closeConnections(testbed, fault.picks);
    case 'shut down server':
      return testbed.shutDownServer(fault.member);
    case 'link fault':
      await injectLinkFault(target, fault.how);
      return untilMoved(target.load);
  }
}

/** The server whose request the kill of the database hits. */
const serverFor = ({ after }: Fault): number => Math.floor(after * 1000) % members;

const killServer = async ({ servers }: Testbed, number: number): Promise<void> => servers[number]?.kill();

async function killAt({ probe }: Target, moment: Moment, server: number, kill: () => Promise<void>): Promise<void> {
  if (moment === 'before commit') return probe.killBeforeCommit(server, kill);
  if (moment === 'after commit') return probe.killAfterCommit(server, kill);
  return kill();
}

/** Enough moves to conclude that requests succeed again. */
const movesBetween = 100;

function untilMoved({ acknowledged }: Load): Promise<void> {
  const wanted = acknowledged() + movesBetween;
  return until('requests succeed again', () => acknowledged() >= wanted);
}

/** If there are too few connections, as after a kill of the database, the rest is closed later. */
async function closeConnections({ postgres, logFault }: Testbed, picks: readonly number[]): Promise<void> {
  await logFault({ kind: 'fault', what: 'close connections' });
  for (let left = picks; left.length > 0;) {
    left = left.slice(await closeSome(postgres, left));
    if (left.length > 0) await sleep(200);
  }
  await logFault({ kind: 'back', what: 'close connections', count: picks.length });
}

/** Closes the picked connections, as far as they exist. Returns the number of closed connections. */
const closeSome = (postgres: Postgres, picks: readonly number[]): Promise<number> =>
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

async function killDatabase({ postgres, logFault }: Testbed): Promise<void> {
  await logFault({ kind: 'fault', what: 'kill database' });
  await postgres.killAndRestart();
  await logFault({ kind: 'back', what: 'kill database' });
}

/** One failure per client. */
const failuresOverDeadLink = 16;
const movesOverSlowLink = 40;

async function injectLinkFault({ testbed: { link, logFault }, load }: Target, how: LinkFault): Promise<void> {
  await logFault({ kind: 'fault', what: `${how} link` });
  const [moved, failed] = [load.acknowledged(), load.unknown()];
  link?.inject(how);
  if (how === 'slow')
    await until('moves succeed over a slow link', () => load.acknowledged() >= moved + movesOverSlowLink);
  if (how === 'dead')
    await until('requests fail over a dead link', () => load.unknown() >= failed + failuresOverDeadLink);
  link?.restore();
  await logFault({ kind: 'back', what: `${how} link` });
}
