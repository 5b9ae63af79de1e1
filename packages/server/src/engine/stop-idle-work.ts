/**
 * Stops uploads and paused work of users that nobody has continued for some time. An upload loses its lines, because the rest of the file is
 * missing.
 */
import { allowLongStatements, type Db, type Tx } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { lockIdleOperation, updateBulkOperation } from '../store/bulk/bulk-operations.ts';
import { removeLines } from '../store/spreadsheets/import-lines.ts';
import { lockIdleImport, updateImport } from '../store/spreadsheets/imports.ts';

export const uploadInterrupted = 'The upload was interrupted. Upload the file again.';

const uploadMinutes = 10;
const pausedMinutes = 30 * 24 * 60;

const stopped = (stopped_because: string) => ({ status: 'stopped' as const, stopped_because });
const pausedTooLong = stopped('Paused for 30 days.');

/** Each of these stops one row. They return whether there was one. */
const steps: readonly ((tx: Tx) => Promise<boolean>)[] = [
  async (tx) => {
    const id = await lockIdleImport(tx, 'uploading', uploadMinutes);
    if (id === undefined) return false;
    await allowLongStatements(tx);
    await updateImport(tx, id, stopped(uploadInterrupted));
    await removeLines(tx, id);
    return true;
  },
  async (tx) => {
    const id = await lockIdleImport(tx, 'paused', pausedMinutes);
    if (id !== undefined) await updateImport(tx, id, pausedTooLong);
    return id !== undefined;
  },
  async (tx) => {
    const id = await lockIdleOperation(tx, 'paused', pausedMinutes);
    if (id !== undefined) await updateBulkOperation(tx, id, pausedTooLong);
    return id !== undefined;
  },
];

export async function stopIdleWork(db: Db, signal?: AbortSignal): Promise<void> {
  const isStopped = () => signal?.aborted === true;
  for (const step of steps) while (!isStopped() && (await inTransaction(db, step)));
}
