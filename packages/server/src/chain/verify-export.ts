/** Verifies an exported history: with its lines and the public key alone, wherever somebody is. */
import type { KeyObject } from 'node:crypto';
import type { ExportLine } from './export-lines.ts';
import type { Checkpoint } from './sign-checkpoint.ts';
import { verifyCheckpoints, type CheckpointsVerdict, type KeptCheckpoint } from './verify-checkpoints.ts';
import { verifyHistory, type KeptEntry, type Verdict } from './verify-history.ts';

export interface WholeVerdict {
  signed: CheckpointsVerdict;
  history: Verdict;
  /** The file itself: cut off, or not what it should be. */
  fault: string | undefined;
}

export async function verifyExport(
  lines: AsyncIterable<string>,
  publicKeys: readonly KeyObject[],
  kept: readonly KeptCheckpoint[] = [],
): Promise<WholeVerdict> {
  const reader = createReader(lines);
  const heading = await reader.next();
  const isExport = heading?.kind === 'history' && (heading.form as number) === 1;
  await reader.skip('history');
  const signed = await verifyCheckpoints(reader.while<Checkpoint>('checkpoint'), publicKeys, kept);
  // Where one was bad the others were not read.
  await reader.skip('checkpoint');
  const history = await verifyHistory(reader.while<KeptEntry>('entry'), signed.chains);
  const fault = isExport ? undefined : 'This is not an exported history.';
  return {
    signed,
    history,
    fault: fault ?? (signed.bad || history.bad ? undefined : faultOfEnd(reader.at(), signed, history)),
  };
}

function faultOfEnd(last: ExportLine | undefined, { checkpoints }: CheckpointsVerdict, { entries }: Verdict) {
  if (last?.kind !== 'end') return 'The file ends before its last line: it was cut off.';
  if (last.checkpoints === checkpoints && last.entries === entries) return undefined;
  return `The file should hold ${last.checkpoints} checkpoints and ${last.entries} entries; it holds ${checkpoints} and ${entries}.`;
}

/** Reads ahead by one line, which belongs to whoever comes next. */
function createReader(lines: AsyncIterable<string>) {
  const iterator = lines[Symbol.asyncIterator]();
  let ahead: ExportLine | undefined;
  const next = async () => {
    const { value, done } = await iterator.next();
    ahead = done ? undefined : (JSON.parse(value) as ExportLine);
    return ahead;
  };
  async function* readWhile<T>(kind: ExportLine['kind']): AsyncGenerator<T> {
    let line = ahead;
    while (line?.kind === kind) {
      yield line as T;
      line = await next();
    }
  }
  const skip = async (kind: ExportLine['kind']) => {
    let line = ahead;
    while (line?.kind === kind) line = await next();
  };
  return { next, while: readWhile, skip, at: () => ahead };
}
