/** Exporting the history, and verifying it: from an export alone, or where it is. */
import { open, readFile } from 'node:fs/promises';
import type { KeyObject } from 'node:crypto';
import { readPublicKey } from '../chain/checkpoint-key.ts';
import { exportLines } from '../chain/export-lines.ts';
import { verifyCheckpoints, type KeptCheckpoint } from '../chain/verify-checkpoints.ts';
import { verifyExport, type WholeVerdict } from '../chain/verify-export.ts';
import { verifyHistory } from '../chain/verify-history.ts';
import { readConfig, type Environment } from '../config.ts';
import { openDatabase, type Db } from '../database/connection.ts';
import { findStrayState, readChains } from '../store/chained-history.ts';
import { readCheckpoints } from '../store/checkpoints.ts';

/** The lines of the export, one after the other. */
export async function* exportHistory(environment: Environment): AsyncGenerator<string> {
  const database = openHistory(environment);
  try {
    yield* exportLines(readCheckpoints(database.db), readChains(database.db));
  } finally {
    await database.close();
  }
}

/** What is to be said of it, and whether it is sound. */
export interface Report {
  sound: boolean;
  says: string[];
}

/** What whoever verifies brings along. */
export interface Known {
  /** Files in PEM: of all keys that signed, one after the other. */
  publicKeys: readonly string[];
  /** Checkpoints that were written down elsewhere. */
  checkpoints?: readonly KeptCheckpoint[];
  /** Whether a history without any checkpoint passes, as one does that is younger than the first. */
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

/** Also whether each experiment is in the state that its chain ends with, which an export does not tell. */
export async function verifyDatabase(environment: Environment, known: Known): Promise<Report> {
  const keys = await keysOf(known);
  const database = openHistory(environment);
  try {
    return report(await verifyWithStates(database.db, keys, known.checkpoints), known);
  } finally {
    await database.close();
  }
}

async function verifyWithStates(
  db: Db,
  keys: readonly KeyObject[],
  kept?: readonly KeptCheckpoint[],
): Promise<WholeVerdict> {
  const signed = await verifyCheckpoints(readCheckpoints(db), keys, kept);
  const history = await verifyHistory(readChains(db), signed.chains);
  const stray = await findStrayState(db);
  const fault =
    stray &&
    `Experiment ${stray.id} is in state ${stray.state_id}, and its history ends in state ${stray.recorded ?? 'none'}.`;
  return { signed, history, fault };
}

const keysOf = ({ publicKeys }: Known): Promise<KeyObject[]> =>
  Promise.all(publicKeys.map(async (file) => readPublicKey(await readFile(file, 'utf8'))));

function openHistory(environment: Environment) {
  const options = { applicationName: 'milepost history', poolSize: 1, onError: () => undefined };
  return openDatabase({ ...readConfig(environment), ...options });
}

const unsignedFault =
  'There is no checkpoint: the history fits in itself, but nothing shows that it was not written anew. Workers that have ' +
  'MILEPOST_CHECKPOINT_KEY_FILE sign the first one within a minute; --allow-unsigned lets pass what is younger than that.';

function report(verdict: WholeVerdict, { allowUnsigned = false }: Known): Report {
  const faults = faultsOf(verdict);
  if (faults.length > 0) return { sound: false, says: faults };
  if (verdict.signed.checkpoints === 0 && !allowUnsigned) return { sound: false, says: [unsignedFault] };
  return { sound: true, says: seenOf(verdict) };
}

function faultsOf({ signed, history: { bad }, fault }: WholeVerdict): string[] {
  return [
    ...(signed.bad ? [`Checkpoint ${signed.bad.number}: ${signed.bad.fault}`] : []),
    ...(bad
      ? [
          `Entry ${bad.sequence} of ${bad.chain} ${bad.chain_id}${bad.id === null ? '' : ` (id ${bad.id})`}: ${bad.fault}`,
        ]
      : []),
    ...(fault === undefined ? [] : [fault]),
  ];
}

function seenOf({ signed: { checkpoints, last }, history }: WholeVerdict): string[] {
  const { entries, chains, erased, erasures, unsigned } = history;
  return [
    `${entries} entries in ${chains} chains, ${erased} of them erased; ${checkpoints} checkpoints, the last of ${last?.at ?? 'never'}.`,
    `${unsigned} entries came after the last checkpoint of their chain.`,
    ...(last
      ? [`Keep the last checkpoint elsewhere, for the next time: --checkpoint ${last.number}:${last.hash}`]
      : []),
    ...erasures.map(
      ({ subjectId, at, sequence }) => `Subject ${subjectId} was erased on ${at}, by entry ${sequence} of its chain.`,
    ),
  ];
}
