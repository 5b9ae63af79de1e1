/** A superuser tampers with the history, and the verification names the entry. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow } from '../../testing/engine-world.ts';
import { openTestDatabase } from '../../testing/open-database.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { cutTail, recomputeChain, tamperings, tamperingsWithValues, type Tampering } from '../../testing/tampering.ts';
import type { Database, Tx } from '../database/connection.ts';
import { rehearse } from '../database/transaction.ts';
import { readChains } from '../store/chained-history.ts';
import { verifyHistory, type Position, type Verdict } from './verify-history.ts';

let server: TestServer;
let superuser: Database;
/** Of an experiment with its creation and many notes: every entry has values of its own. */
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

/** Undone afterwards. */
const verdictAfter = (tamper: (tx: Tx) => Promise<unknown>): Promise<Verdict> =>
  rehearse(superuser.db, async (tx) => {
    await tamper(tx);
    return verifyHistory(readChains(tx));
  });

const entry = (sequence: number): Position => ({ chain: 'experiment', chain_id: noted, sequence });

/** In the middle of the chain: all of them at night, every third in the gate. */
const sequences = Array.from({ length: notes - 2 }, (_, index) => 2 + index);
const some = sequences.filter((_, index) => index % 3 === 0);

async function expectFound({ tamper }: Tampering, places: readonly number[]): Promise<void> {
  const named: (Position | undefined)[] = [];
  for (const at of places) named.push((await verdictAfter((tx) => tamper(tx, entry(at)))).bad);
  expect(named).toMatchObject(places.map(entry));
}

describe('a superuser', () => {
  it('who does nothing leaves a history that verifies', async () => {
    const verdict = await verdictAfter(async () => undefined);
    expect(verdict).toMatchObject({ bad: undefined, erased: 0 });
    expect(verdict.entries).toBeGreaterThan(notes);
  });

  const found = [...tamperings, ...tamperingsWithValues];
  it.each(found)('is found out at ten places: $what', (tampering) => expectFound(tampering, some));
  it.each(found)('is found out at every place: $what', { tags: ['nightly'] }, (tampering) =>
    expectFound(tampering, sequences),
  );

  it('is found out: the key of a person changed', async () => {
    const verdict = await verdictAfter((tx) =>
      tx
        .updateTable('personal_keys')
        .set({ key: Buffer.alloc(32) })
        .where('person', '=', 'subject')
        .execute(),
    );
    expect(verdict.bad).toMatchObject({ chain: 'experiment', sequence: 1 });
  });

  it('is found out: values put beside an entry that had none', async () => {
    const verdict = await verdictAfter(async (tx) => {
      const { id } = await tx
        .selectFrom('history')
        .select('id')
        .where('values_hash', 'is', null)
        .executeTakeFirstOrThrow();
      await tx.insertInto('history_values').values({ history_id: id, reason: 'invented' }).execute();
    });
    expect(verdict.bad?.fault).toBe('The entry had no personal values.');
  });

  // What the chain alone cannot tell, and why there are checkpoints.
  it.each([
    ['the chain written anew to its end', recomputeChain],
    ['the end of the chain cut off', cutTail],
  ])('is not found out without a checkpoint: %s', async (_what, tamper) => {
    expect(await verdictAfter((tx) => tamper(tx, entry(5)))).toMatchObject({ bad: undefined });
  });
});
