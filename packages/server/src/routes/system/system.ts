/** The state of the installation, for its operators. */
import type { systemOperations } from '@milepost/api';
import type { Database, Db } from '../../database/connection.ts';
import { pendingMigrations, unknownMigrations } from '../../database/migrate.ts';
import { ok, type Handlers } from '../../http/call.ts';
import { shownQueue } from '../../jobs/queue-names.ts';
import { listCheckpoints, readSigningStatus } from '../../store/record/checkpoints.ts';
import { findFinished } from '../../store/record/verifications.ts';
import { listBlockedQueues } from '../../store/runs/queue-incidents.ts';
import { readBacklogs } from '../../store/runs/queue-progress.ts';
import { readConditions } from '../../store/system/conditions.ts';
import { countActiveWork, readAppliedMigrations, readDatabaseStatus } from '../../store/system/database-status.ts';
import { listProcesses } from '../../store/system/processes.ts';
import { version } from '../../version.ts';

export const systemHandlers: Handlers<typeof systemOperations> = {
  // One statement after the other, so that the page takes one connection.
  async getSystem({ database }) {
    const { db } = database;
    const conditions = await readConditions(db);
    const processes = await listProcesses(db);
    const queues = await readQueues(db);
    const status = await readDatabaseStatus(db);
    const migrations = await readMigrations(database);
    const checkpoints = await readCheckpointStatus(db);
    const active = await countActiveWork(db);
    return ok({
      version,
      conditions,
      processes,
      queues,
      database: status,
      migrations,
      checkpoints,
      active_bulk_operations: active.bulk_operations,
      active_imports: active.imports,
    });
  },
};

async function readQueues(db: Db) {
  const backlogs = await readBacklogs(db);
  const blocked = new Set(await listBlockedQueues(db));
  return backlogs.map(({ queue, length, oldest_at }) => ({
    queue: shownQueue(queue),
    // pg-boss counted some seconds ago, and the oldest run is read now.
    waiting: oldest_at === null ? 0 : Math.max(length, 1),
    oldest_since: oldest_at,
    blocked: blocked.has(queue),
  }));
}

async function readMigrations({ db, pool }: Database) {
  const query = (text: string) => pool.query(text);
  return {
    ...(await readAppliedMigrations(db)),
    pending: await pendingMigrations(query),
    unknown: await unknownMigrations(query),
  };
}

async function readCheckpointStatus(db: Db) {
  const [last] = await listCheckpoints(db, { before: Number.MAX_SAFE_INTEGER, limit: 1 });
  const { unsignedSince } = await readSigningStatus(db);
  const verified = await findFinished(db);
  return {
    last_number: last?.number ?? null,
    last_at: last?.at ?? null,
    key_id: last?.key_id ?? null,
    unsigned_since: unsignedSince,
    verified_at: verified?.finished_at ?? null,
    fault: verified?.fault ?? null,
  };
}
