/**
 * A log with one JSON line per event, synced to disk. Lines that are appended during a sync are written together in the next
 * one.
 */
import { open } from 'node:fs/promises';

export interface SyncedLog {
  /** Resolves when the line is on disk. */
  append: (line: object) => Promise<void>;
  /** Resolves when all appended lines are on disk. */
  flush: () => Promise<void>;
  close: () => Promise<void>;
}

export async function openSyncedLog(file: string): Promise<SyncedLog> {
  const handle = await open(file, 'a');
  let waiting = '';
  let nextSync: Promise<void> | undefined;
  const sync = async () => {
    const text = waiting;
    waiting = '';
    await handle.write(text);
    await handle.datasync();
  };
  let last = Promise.resolve();
  const append = (line: object): Promise<void> => {
    waiting += `${JSON.stringify(line)}\n`;
    nextSync ??= last.then(() => {
      nextSync = undefined;
      return (last = sync());
    });
    return nextSync;
  };
  const flush = async () => {
    await nextSync;
    await last;
  };
  return {
    append,
    flush,
    close: async () => {
      await flush();
      await handle.close();
    },
  };
}
