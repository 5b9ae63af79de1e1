/**
 * The heartbeats of a worker: renew the leases of its attempts and record its contact with the database. They have connections of
 * their own, so that other work of the worker cannot delay them.
 */
import type { Logger } from 'pino';
import { openDatabase, type DatabaseOptions, type Db } from '../database/connection.ts';
import { leaseName, renewLeases } from '../store/runs/attempts.ts';
import { contactMs, recordContact, type LeaseHolder } from '../store/runs/contact.ts';
import { repeat, type RepeatedWork } from './repeat.ts';
import { Stopped, type ActiveRun } from './run-attempt.ts';

export const heartbeatMs = 6000;
export const heartbeatRetryMs = 1000;
/** A heartbeat that takes longer has failed. The third one in a row still renews the lease before its 20 s have passed. */
export const heartbeatTimeouts = { connectMs: 1250, statementMs: 1750, lockMs: 1750 };

/** One connection for leases, one for contact. */
export const openHeartbeatDatabase = (options: DatabaseOptions) =>
  openDatabase({
    ...options,
    poolSize: 2,
    timeouts: heartbeatTimeouts,
  });

/** Starts to renew the leases of the active runs. */
export const sendHeartbeats = (
  db: Db,
  active: ReadonlySet<ActiveRun>,
  onError: (error: unknown) => void,
): RepeatedWork => repeat(heartbeatMs, () => beat(db, active), onError, heartbeatRetryMs);

/**
 * Renews all leases at once and sends the output since the last heartbeat. Runs whose lease is not renewed are stopped. Output
 * that could not be sent is sent with the next heartbeat.
 */
async function beat(db: Db, active: ReadonlySet<ActiveRun>): Promise<void> {
  const beating = [...active].map((run) => ({ run, log: run.takeLog() }));
  const leases = beating.map(({ run: { executionId, attempt }, log }) => ({ executionId, attempt, log }));
  const { renewed, locked } = await renewLeases(db, leases).catch((error: unknown) => {
    for (const { run, log } of beating) run.putLogBack(log);
    throw error;
  });
  for (const { run, log } of beating) {
    if (locked.has(leaseName(run))) run.putLogBack(log);
    else if (!renewed.has(leaseName(run))) {
      run.stopping.abort(
        new Stopped('The execution was resolved by a report, or another attempt replaced this one.', {
          returned: false,
        }),
      );
    }
  }
}

/** Workers keep contact for their own leases, servers for those of pulling workers. */
export const keepContact = (db: Db, holder: LeaseHolder, log: Pick<Logger, 'info' | 'error'>): RepeatedWork => {
  const touch = async () => {
    const seconds = await recordContact(db, holder);
    if (seconds > 0) log.info({ holder, seconds }, 'database reachable again, leases extended');
  };
  const onError = (error: unknown) => log.error({ err: error }, 'failed to record contact');
  return repeat(contactMs, touch, onError, heartbeatRetryMs);
};
