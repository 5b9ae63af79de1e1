/**
 * The history as lines of JSON, with everything that a verification needs but the public key: a heading, the checkpoints, the
 * entries chain by chain with their values and keys, and a last line by which one sees that nothing was cut off.
 */
import type { Checkpoint } from './sign-checkpoint.ts';
import type { KeptEntry } from './verify-history.ts';

export type ExportLine =
  | { kind: 'history'; form: 1 }
  | ({ kind: 'checkpoint' } & Checkpoint)
  | ({ kind: 'entry' } & KeptEntry)
  | { kind: 'end'; checkpoints: number; entries: number };

/** Checkpoints are read first: whatever they signed is then among the entries. */
export async function* exportLines(
  checkpoints: AsyncIterable<Checkpoint>,
  entries: AsyncIterable<KeptEntry>,
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
