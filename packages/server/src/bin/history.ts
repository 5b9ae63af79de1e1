/** Exports the history, and verifies an export or the database. */
import { open, readFile } from 'node:fs/promises';
import type { KeyObject } from 'node:crypto';
import { readPublicKey } from '../chain/checkpoint-key.ts';
import { exportLines } from '../chain/export-lines.ts';
import type { KnownCheckpoint } from '../chain/verify-checkpoints.ts';
import { verifyExport, type VerificationResult } from '../chain/verify-export.ts';
import { readConfig, type Environment } from '../config.ts';
import { openDatabase } from '../database/connection.ts';
import { faultsOf, verifyStoredHistory } from '../engine/record/verify-stored-history.ts';
import { readChains } from '../store/record/chained-history.ts';
import { readCheckpoints } from '../store/record/checkpoints.ts';

/** Yields the lines of the export. */
export async function* exportHistory(environment: Environment): AsyncGenerator<string> {
  const database = openHistory(environment);
  try {
    yield* exportLines(readCheckpoints(database.db), readChains(database.db));
  } finally {
    await database.close();
  }
}

/** The result of a verification and the messages to print. */
export interface Report {
  valid: boolean;
  messages: string[];
}

/** What the caller knows about the history from elsewhere. */
export interface Known {
  /** PEM files with the public keys that have signed checkpoints. */
  publicKeys: readonly string[];
  /** Checkpoints saved outside the database. */
  checkpoints?: readonly KnownCheckpoint[];
  /** Whether to accept a history without any checkpoint, such as one younger than its first checkpoint. */
  allowUnsigned?: boolean;
}

export async function verifyFile(file: string, known: Known): Promise<Report> {
  const keys = await keysOf(known);
  const opened = await open(file);
  try {
    return report(await verifyExport(opened.readLines(), keys, known.checkpoints), known);
  } finally {
    await opened.close();
  }
}

/** Also checks that each experiment is in the state that its chain ends with, which an export does not contain. */
export async function verifyDatabase(environment: Environment, known: Known): Promise<Report> {
  const keys = await keysOf(known);
  const database = openHistory(environment);
  try {
    return report(await verifyStoredHistory(database.db, { keys, kept: known.checkpoints }), known);
  } finally {
    await database.close();
  }
}

const keysOf = ({ publicKeys }: Known): Promise<KeyObject[]> =>
  Promise.all(publicKeys.map(async (file) => readPublicKey(await readFile(file, 'utf8'))));

function openHistory(environment: Environment) {
  const options = { applicationName: 'milepost history', poolSize: 1, onError: () => undefined };
  return openDatabase({ ...readConfig(environment), ...options });
}

const unsignedFault =
  'The history has no checkpoints. The hashes are consistent, but nothing proves that the history was not rewritten. Workers with ' +
  'MILEPOST_CHECKPOINT_KEY_FILE sign a checkpoint every minute. To accept an unsigned history, use --allow-unsigned.';

function report(verdict: VerificationResult, { allowUnsigned = false }: Known): Report {
  const faults = faultsOf(verdict);
  if (faults.length > 0) return { valid: false, messages: faults };
  if (verdict.signed.checkpoints === 0 && !allowUnsigned) return { valid: false, messages: [unsignedFault] };
  return { valid: true, messages: summaryOf(verdict) };
}

function summaryOf({ signed: { checkpoints, last }, history }: VerificationResult): string[] {
  const { entries, chains, erased, erasures, unsigned } = history;
  return [
    `Verified. Entries: ${entries} in ${chains} chains (${erased} erased). Checkpoints: ${checkpoints} (latest: ${last?.at ?? 'none'}).`,
    `Entries newer than the latest checkpoint of their chain: ${unsigned}.`,
    ...(last
      ? [`Save the latest checkpoint outside the database for later checks: --checkpoint ${last.number}:${last.hash}`]
      : []),
    ...erasures.map(
      ({ subjectId, at, sequence }) => `Subject ${subjectId} was erased at ${at}, in entry ${sequence} of its chain.`,
    ),
  ];
}
