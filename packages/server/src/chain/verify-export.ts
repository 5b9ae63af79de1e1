/** Verifies an exported history with nothing but its lines and the public keys. */
import type { KeyObject } from 'node:crypto';
import type { ExportLine } from './export-lines.ts';
import type { Checkpoint } from './sign-checkpoint.ts';
import { verifyCheckpoints, type CheckpointsVerdict, type KnownCheckpoint } from './verify-checkpoints.ts';
import { verifyHistory, type StoredEntry, type Verdict } from './verify-history.ts';

export interface VerificationResult {
  signed: CheckpointsVerdict;
  history: Verdict;
  /** A fault that belongs to no entry or checkpoint, such as an incomplete file. */
  fault: string | undefined;
}

export async function verifyExport(
  lines: AsyncIterable<string>,
  publicKeys: readonly KeyObject[],
  known: readonly KnownCheckpoint[] = [],
): Promise<VerificationResult> {
  const reader = createReader(lines);
  const heading = await reader.next();
  const isExport = heading?.kind === 'history' && (heading.form as number) === 1;
  await reader.skip('history');
  const signed = await verifyCheckpoints(reader.while<Checkpoint>('checkpoint'), publicKeys, known);
  // Verification stops at the first invalid checkpoint.
  await reader.skip('checkpoint');
  const history = await verifyHistory(reader.while<StoredEntry>('entry'), signed.chains);
  const fault = isExport ? undefined : 'This is not a history export.';
  return {
    signed,
    history,
    fault: fault ?? (signed.bad || history.bad ? undefined : faultOfEnd(reader.at(), signed, history)),
  };
}

function faultOfEnd(last: ExportLine | undefined, { checkpoints }: CheckpointsVerdict, { entries }: Verdict) {
  if (last?.kind !== 'end') return 'The file is incomplete. Its end was cut off.';
  if (last.checkpoints === checkpoints && last.entries === entries) return undefined;
  return `The file should contain ${last.checkpoints} checkpoints and ${last.entries} entries, but contains ${checkpoints} and ${entries}.`;
}

/** Reads one line ahead, so that each part can stop before the next one. */
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
