/**
 * Exports the history as JSON lines: a header, the checkpoints, the entries chain by chain with their values and keys, and a
 * last line that shows that the file is complete. Verification needs only the file and the public key.
 */
import type { Checkpoint } from './sign-checkpoint.ts';
import type { StoredEntry } from './verify-history.ts';

export type ExportLine =
  | { kind: 'history'; form: 1 }
  | ({ kind: 'checkpoint' } & Checkpoint)
  | ({ kind: 'entry' } & StoredEntry)
  | { kind: 'end'; checkpoints: number; entries: number };

/** Checkpoints are read first, so everything they signed is among the entries. */
export async function* exportLines(
  checkpoints: AsyncIterable<Checkpoint>,
  entries: AsyncIterable<StoredEntry>,
): AsyncGenerator<string> {
  const count = { checkpoints: 0, entries: 0 };
  yield line({ kind: 'history', form: 1 });
  for await (const checkpoint of checkpoints) {
    count.checkpoints++;
    yield line({ kind: 'checkpoint', ...checkpoint });
  }
  for await (const entry of entries) {
    count.entries++;
    yield line({ kind: 'entry', ...entry });
  }
  yield line({ kind: 'end', ...count });
}

const line = (value: ExportLine): string => `${JSON.stringify(value)}\n`;
