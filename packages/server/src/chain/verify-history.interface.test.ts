/** Verification finds the entry that a superuser tampered with. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow } from '../../testing/engine-world.ts';
import { openTestDatabase } from '../../testing/open-database.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import {
  cutTail,
  recomputeChain,
  tamperings,
  tamperingsWithValues,
  type Tampering,
} from '../../testing/rows/tampering.ts';
import type { Database, Tx } from '../database/connection.ts';
import { dryRun } from '../database/transaction.ts';
import { readChains } from '../store/record/chained-history.ts';
import { verifyHistory, type Position, type Verdict } from './verify-history.ts';

let server: TestServer;
let superuser: Database;
/** An experiment whose history entries, its creation and many notes, all have personal values. */
let noted: number;
const notes = 30;

beforeAll(async () => {
  server = await startTestServer();
  superuser = openTestDatabase(server.testDatabase.superuserUrl);
  const world = createEngineWorld(server);
  noted = await world.experimentIn(pulledWorkflow('tampered'));
  for (let index = 1; index <= notes; index++) {
    await server.call('addNote', { params: { id: noted }, body: { text: `note ${index}` } });
  }
  await world.experimentIn(pulledWorkflow('untouched'));
});
afterAll(async () => {
  await superuser.close();
  await server.stop();
});

/** Rolls the tampering back. */
const verdictAfter = (tamper: (tx: Tx) => Promise<unknown>): Promise<Verdict> =>
  dryRun(superuser.db, async (tx) => {
    await tamper(tx);
    return verifyHistory(readChains(tx));
  });

const entry = (sequence: number): Position => ({ chain: 'experiment', chain_id: noted, sequence });

/** Positions within the chain: all of them in the nightly run, every third one in the gate. */
const sequences = Array.from({ length: notes - 2 }, (_, index) => 2 + index);
const some = sequences.filter((_, index) => index % 3 === 0);

async function expectFound({ tamper }: Tampering, positions: readonly number[]): Promise<void> {
  const found: (Position | undefined)[] = [];
  for (const at of positions) found.push((await verdictAfter((tx) => tamper(tx, entry(at)))).bad);
  expect(found).toMatchObject(positions.map(entry));
}

describe('verifyHistory', () => {
  it('accepts an unchanged history', async () => {
    const verdict = await verdictAfter(async () => undefined);
    expect(verdict).toMatchObject({ bad: undefined, erased: 0 });
    expect(verdict.entries).toBeGreaterThan(notes);
  });

  const detectable = [...tamperings, ...tamperingsWithValues].map((one) => [one.what, one] as const);
  it.each(detectable)('names the tampered entry at each of ten positions (%s)', (_what, tampering) =>
    expectFound(tampering, some),
  );
  it.each(detectable)('names the tampered entry at every position (%s)', { tags: ['nightly'] }, (_what, tampering) =>
    expectFound(tampering, sequences),
  );

  it('detects a changed personal key', async () => {
    const verdict = await verdictAfter((tx) =>
      tx
        .updateTable('personal_keys')
        .set({ key: Buffer.alloc(32) })
        .where('person', '=', 'subject')
        .execute(),
    );
    expect(verdict.bad).toMatchObject({ chain: 'experiment', sequence: 1 });
  });

  it('detects personal values that were added to an entry without personal values', async () => {
    const verdict = await verdictAfter(async (tx) => {
      const { id } = await tx
        .selectFrom('history')
        .select('id')
        .where('values_hash', 'is', null)
        .executeTakeFirstOrThrow();
      await tx.insertInto('history_values').values({ history_id: id, reason: 'invented' }).execute();
    });
    expect(verdict.bad?.fault).toBe('Personal values were added to an entry that had none.');
  });

  // Only checkpoints reveal these two kinds of tampering.
  it.each([
    ['a chain that was rewritten up to its end', recomputeChain],
    ['a missing end of a chain', cutTail],
  ])('cannot detect %s if there are no checkpoints', async (_what, tamper) => {
    expect(await verdictAfter((tx) => tamper(tx, entry(5)))).toMatchObject({ bad: undefined });
  });
});
