/** Exporting the history, and verifying it: from an export alone, or where it is. */
import { open, readFile } from 'node:fs/promises';
import type { KeyObject } from 'node:crypto';
import { readPublicKey } from '../chain/checkpoint-key.ts';
import { exportLines } from '../chain/export-lines.ts';
import { verifyCheckpoints } from '../chain/verify-checkpoints.ts';
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

export async function verifyFile(file: string, publicKeyFile: string): Promise<Report> {
  const publicKey = await keyIn(publicKeyFile);
  const opened = await open(file);
  try {
    return report(await verifyExport(opened.readLines(), [publicKey]));
  } finally {
    await opened.close();
  }
}

/** Also whether each experiment is in the state that its chain ends with, which an export does not tell. */
export async function verifyDatabase(environment: Environment, publicKeyFile: string): Promise<Report> {
  const publicKey = await keyIn(publicKeyFile);
  const database = openHistory(environment);
  try {
    return await verifyWithStates(database.db, publicKey);
  } finally {
    await database.close();
  }
}

async function verifyWithStates(db: Db, publicKey: KeyObject): Promise<Report> {
  const signed = await verifyCheckpoints(readCheckpoints(db), [publicKey]);
  const history = await verifyHistory(readChains(db), signed.heads);
  const stray = await findStrayState(db);
  const fault =
    stray &&
    `Experiment ${stray.id} is in state ${stray.state_id}, and its history ends in state ${stray.recorded ?? 'none'}.`;
  return report({ signed, history, fault });
}

const keyIn = async (file: string): Promise<KeyObject> => readPublicKey(await readFile(file, 'utf8'));

function openHistory(environment: Environment) {
  const options = { applicationName: 'milepost history', poolSize: 1, onError: () => undefined };
  return openDatabase({ ...readConfig(environment), ...options });
}

export function report({ signed, history, fault }: WholeVerdict): Report {
  const { entries, chains, erased, erasures, unsigned, bad } = history;
  const faults = [
    ...(signed.bad ? [`Checkpoint ${signed.bad.number}: ${signed.bad.fault}`] : []),
    ...(bad
      ? [
          `Entry ${bad.sequence} of ${bad.chain} ${bad.chain_id}${bad.id === null ? '' : ` (id ${bad.id})`}: ${bad.fault}`,
        ]
      : []),
    ...(fault === undefined ? [] : [fault]),
  ];
  const seen = [
    `${entries} entries in ${chains} chains, ${erased} of them erased; ${signed.checkpoints} checkpoints, the last of ${signed.lastAt ?? 'never'}.`,
    `${unsigned} entries came after the last checkpoint of their chain.`,
    ...erasures.map(
      ({ subjectId, at, sequence }) => `Subject ${subjectId} was erased on ${at}, by entry ${sequence} of its chain.`,
    ),
  ];
  return { sound: faults.length === 0, says: faults.length === 0 ? seen : faults };
}
