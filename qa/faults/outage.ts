/** Takes the database away for some time while callbacks run. They must still be running afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal } from './drive/journal.ts';
import { moveRequest } from './drive/mover.ts';
import type { Fault } from './schedule.ts';
import { finds } from './testbed/query.ts';
import type { Testbed } from './testbed/testbed.ts';
import { until } from './until.ts';

/** The experiments whose callbacks run during an outage. */
export interface LongRuns {
  experiments: readonly number[];
  journal: Journal;
}

export type Outage = Extract<Fault, { kind: 'outage' }>;

export async function injectOutage(testbed: Testbed, long: LongRuns, outage: Outage, recovered: () => Promise<void>) {
  const { receiver, logFault } = testbed;
  await startLongRuns(long, outage);
  await until('all long runs have started', () => receiver.longRuns() === long.experiments.length);
  await logFault({ kind: 'fault', what: 'outage' });
  await takeDatabaseAway(testbed, outage);
  await logFault({ kind: 'back', what: 'outage' });
  await recovered();
  await untilRenewed(testbed, long);
  receiver.releaseLongRuns();
  await until('all long runs end', () => finds(testbed.postgres, noneIsIn, [long.experiments, 'long']));
}

async function startLongRuns({ experiments, journal }: LongRuns, { after }: Outage): Promise<void> {
  for (const experiment of experiments) {
    const wanted = { token: `o-${after}-${experiment}`, move: { experiment, to: 'long' } };
    await journal.retry(wanted, moveRequest(wanted, 'ready'));
  }
}

const noneIsIn = `select where not exists (
  select from experiments join states on states.id = experiments.state_id
  where experiments.id = any($1::bigint[]) and states.label = $2)`;

async function takeDatabaseAway({ postgres, link }: Testbed, { how, seconds }: Outage): Promise<void> {
  if (how === 'stopped') return postgres.killAndRestart(seconds);
  link?.inject('dead');
  await sleep(seconds * 1000);
  return link?.restore();
}

/** Waits until workers have looked for lost runs, which is certain after heartbeats that are 10 s apart. */
async function untilRenewed({ postgres }: Testbed, { experiments }: LongRuns): Promise<void> {
  const later = Date.now() / 1000 + 10;
  await until('the leases of all long runs are renewed', () =>
    finds(
      postgres,
      `select where not exists (
         select from execution_attempts join callback_executions as one on one.id = execution_attempts.execution_id
         join actions on actions.id = one.action_id
         where actions.experiment_id = any($1::bigint[]) and execution_attempts.ended_at is null
           and execution_attempts.heartbeat_at < to_timestamp($2))`,
      [experiments, later],
    ),
  );
}
