/**
 * A log of one JSON line for each thing that happened, on the disk before anybody goes on. Lines that come while others are
 * being synced go together in the next turn.
 */
import { open } from 'node:fs/promises';

export interface SyncedLog {
  /** Answers when the line is on the disk. */
  append: (line: object) => Promise<void>;
  /** Answers when everything that was appended is on the disk. */
  flush: () => Promise<void>;
  close: () => Promise<void>;
}

export async function openSyncedLog(file: string): Promise<SyncedLog> {
  const handle = await open(file, 'a');
  let waiting = '';
  let turn: Promise<void> | undefined;
  const sync = async () => {
    // The lines of the turn that goes on are being written; those that come now are of the next.
    const text = waiting;
    waiting = '';
    await handle.write(text);
    await handle.datasync();
  };
  let last = Promise.resolve();
  const append = (line: object): Promise<void> => {
    waiting += `${JSON.stringify(line)}\n`;
    turn ??= last.then(() => {
      turn = undefined;
      return (last = sync());
    });
    return turn;
  };
  const flush = async () => {
    await turn;
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
