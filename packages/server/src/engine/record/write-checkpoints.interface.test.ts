/**
 * Checkpoints detect that signed history was truncated or rewritten.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from 'kysely';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { insertEntry } from '../../../testing/rows/history-entries.ts';
import { openTestDatabase } from '../../../testing/open-database.ts';
import { withClient } from '../../../testing/test-database.ts';
import { signAll, verifySigned } from '../../../testing/sign-all.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import {
  cutTail,
  recomputeChain,
  tamperings,
  tamperingsWithValues,
  type Tampering,
} from '../../../testing/rows/tampering.ts';
import { createCheckpointKey, readCheckpointKey, type CheckpointKey } from '../../chain/checkpoint-key.ts';
import { signCheckpoint, type Head } from '../../chain/sign-checkpoint.ts';
import type { Position } from '../../chain/verify-history.ts';
import type { Database, Db, Tx } from '../../database/connection.ts';
import { dryRun } from '../../database/transaction.ts';
import {
  findLastCheckpoint,
  insertCheckpoint,
  readCheckpoints,
  readSigningStatus,
} from '../../store/record/checkpoints.ts';
import { writeCheckpoints } from './write-checkpoints.ts';
import { hangLimitMs } from '../../../testing/hang-limit.ts';

let server: TestServer;
let superuser: Database;
let world: EngineWorld;
let noted: number;
const key: CheckpointKey = readCheckpointKey(createCheckpointKey());
/** A hundred entries in the middle of the chain, each followed by another. */
const notes = 102;

const verify = (db: Db) => verifySigned(db, key);
const sign = () => signAll(server.database.db, key);
const note = (text: string) => server.call('addNote', { params: { id: noted }, body: { text } });

beforeAll(async () => {
  server = await startTestServer();
  superuser = openTestDatabase(server.testDatabase.superuserUrl);
  world = createEngineWorld(server);
  noted = await world.experimentIn(pulledWorkflow('signed'));
  for (let index = 1; index <= notes; index++) {
    await note(`note ${index}`);
    if (index % 10 === 0) await sign();
  }
  await sign();
});
afterAll(async () => {
  await superuser.close();
  await server.stop();
});

describe('writeCheckpoints', () => {
  it('signs the last entry of each changed chain, and writes nothing if no chain changed', async () => {
    const { signed, history } = await verify(server.database.db);
    expect(signed).toMatchObject({ bad: undefined });
    expect(history).toMatchObject({ bad: undefined, unsigned: 0 });
    expect(signed.chains.get(`experiment/${noted}`)?.sequences).toEqual(expect.arrayContaining([11, 21, 31]));
    expect(await writeCheckpoints(server.database.db, key)).toBe(0);
  });

  it('leaves out entries of open transactions and signs them after the commit', async () => {
    await withClient(server.testDatabase.databaseUrl, async (early) => {
      await early.query('begin');
      await early.query(insertEntry('cohort', 801));
      // A later transaction writes to a chain that the early one then continues.
      await server.sql(insertEntry('cohort', 802));
      await early.query(insertEntry('cohort', 802));
      await writeCheckpoints(server.database.db, key);
      expect((await verify(server.database.db)).signed.chains.has('cohort/802')).toBe(false);
      await early.query('commit');
    });
    await sign();
    const { signed, history } = await verify(server.database.db);
    expect(signed.chains.has('cohort/801')).toBe(true);
    expect(history).toMatchObject({ bad: undefined });
  });

  it('writes a valid chain of checkpoints when several workers sign at the same time', async () => {
    const lasting = Array.from({ length: 8 }, async (_, index) => {
      await note(`while signing ${index}`);
      await writeCheckpoints(server.database.db, key);
    });
    await Promise.all(lasting);
    await sign();
    expect((await verify(server.database.db)).signed.bad).toBeUndefined();
  });
});

/** Rolled back afterwards. */
const verdictAfter = (tamper: (tx: Tx) => Promise<unknown>) =>
  dryRun(superuser.db, async (tx) => {
    await tamper(tx);
    return verify(tx);
  });

const entry = (sequence: number): Position => ({ chain: 'experiment', chain_id: noted, sequence });
/** The nightly tests use all entries, the gate every tenth. */
const hundred = Array.from({ length: 100 }, (_, index) => 2 + index);
const ten = hundred.filter((_, index) => index % 10 === 0);

async function reportedBad(tamper: (tx: Tx, at: Position) => Promise<unknown>, sequences: readonly number[]) {
  const reported: (Position | undefined)[] = [];
  for (const at of sequences) reported.push((await verdictAfter((tx) => tamper(tx, entry(at)))).history.bad);
  return reported;
}

/** Signs as a worker does a minute later: it reads only the end of the chain. */
async function signEnd(tx: Tx): Promise<void> {
  const last = await findLastCheckpoint(tx);
  const { rows } = await sql<{ sequence: number; hash: string }>`
    select sequence, encode(hash, 'hex') as hash from history
    where chain = 'experiment' and chain_id = ${noted} order by sequence desc limit 1`.execute(tx);
  const heads = rows.map(({ sequence, hash }): Head => ['experiment', noted, sequence, hash]);
  const checkpoint = signCheckpoint(last, { at: new Date().toISOString(), heads }, key);
  await insertCheckpoint(tx, checkpoint, last ?? { xid: '0', id: 0, afterId: 0 });
}

const expectDetected = async ({ tamper }: Pick<Tampering, 'tamper'>, sequences: readonly number[]) =>
  expect(await reportedBad(tamper, sequences)).toMatchObject(sequences.map(entry));

const expectRewriteDetected = async (sequences: readonly number[]) => {
  const { signed } = await verify(server.database.db);
  const last = entry(signed.chains.get(`experiment/${noted}`)?.last.sequence ?? 0);
  // The rewritten chain is consistent, so only its last signed entry is reported.
  expect(await reportedBad(recomputeChain, sequences)).toMatchObject(sequences.map(() => last));
};

describe('tampering by a superuser', () => {
  const endCutOff = { what: 'the end of a chain cut off', tamper: cutTail };
  const detected = [...tamperings, ...tamperingsWithValues, endCutOff].map((one) => [one.what, one] as const);
  const nightly = { tags: ['nightly'] };

  it.each(detected)('is detected at each of ten entries (%s)', (_what, one) => expectDetected(one, ten));
  it.each(detected)('is detected at each of 100 entries (%s)', nightly, (_what, one) => expectDetected(one, hundred));
  it('is detected if a chain was rewritten from any of ten entries to its end', () => expectRewriteDetected(ten));
  it('is detected if a chain was rewritten from any of 100 entries to its end', nightly, () =>
    expectRewriteDetected(hundred),
  );

  it('is detected if a chain was rewritten and the next checkpoint signed its new end', async () => {
    const { history } = await verdictAfter(async (tx) => {
      await recomputeChain(tx, entry(5));
      await sql.raw(insertEntry('experiment', noted)).execute(tx);
      await signEnd(tx);
    });
    expect(history.bad?.fault).toContain('An earlier entry differs from the signed one');
  });

  it('is detected if a whole chain was removed', async () => {
    const { history } = await verdictAfter((tx) => cutTail(tx, entry(1)));
    expect(history.bad).toMatchObject({ ...entry(1), id: null });
  });

  it.each([
    ['a checkpoint was changed', `update checkpoints set heads = '[]' where number = 2`, 2],
    ['a checkpoint was removed', 'delete from checkpoints where number = 2', 2],
    ['checkpoints were removed from the beginning', 'delete from checkpoints where number < 3', 1],
    ['the time of a checkpoint was changed', `update checkpoints set at = at - interval '1 s' where number = 3`, 3],
    [
      'a signature was replaced',
      'update checkpoints set signature = sha256(heads::bytea) || sha256(signature) where number = 1',
      1,
    ],
    ['a key was replaced', `update checkpoints set key_id = 'mine' where number = 1`, 1],
  ])('is detected if %s', async (_what, statement, number) => {
    const { signed } = await verdictAfter((tx) => sql.raw(statement).execute(tx));
    expect(signed.bad).toMatchObject({ number });
  });
});

/** Marks the last checkpoint as restored from a dump of another cluster, which had reached this transaction id. */
const markRestored = (xid: string) =>
  withClient(server.testDatabase.superuserUrl, (client) =>
    client.query(`update checkpoints set cluster = 'another', up_to_xid = ${xid}
      where number = (select max(number) from checkpoints)`),
  );

/**
 * Writes and signs an entry with the highest id and the highest transaction id. Without it, the last checkpoint may end with an
 * entry of an earlier test that has the highest transaction id but a smaller id than others, which are then signed again.
 */
async function signLatestEntry(): Promise<void> {
  await server.sql(insertEntry('cohort', 810));
  await sign();
}

/** Waits for older transactions of other databases, which delay signing by transaction id. */
const settled = (...cohorts: number[]) =>
  vi.waitFor(
    async () => {
      const { rows } = await sql`select from history where chain = 'cohort' and chain_id = any(${cohorts}::bigint[])
        and xid >= pg_snapshot_xmin(pg_current_snapshot())`.execute(server.database.db);
      expect(rows).toEqual([]);
    },
    { interval: 20, timeout: hangLimitMs },
  );

/** The signed heads of a chain in all checkpoints. */
async function headsOf(name: string): Promise<Head[]> {
  const found: Head[] = [];
  for await (const { heads } of readCheckpoints(server.database.db)) {
    found.push(...(JSON.parse(heads) as Head[]).filter(([chain, id]) => `${chain}/${id}` === name));
  }
  return found;
}

describe('checkpoints after a restore from another cluster', () => {
  it.each([
    ['ahead of', `'999999999999'`],
    ['behind', 'pg_current_xact_id()'],
  ])('sign new entries if the transaction ids of the dump are %s those of this cluster', async (_where, xid) => {
    await signLatestEntry();
    for (const chain of [811, 812, 813]) await server.sql(insertEntry('cohort', chain));
    await settled(811, 812, 813);
    await markRestored(xid);
    expect((await readSigningStatus(server.database.db)).unsignedSince).not.toBeNull();
    expect(await writeCheckpoints(server.database.db, key, { limit: 2 })).toBe(2);
    expect(await verify(server.database.db)).toMatchObject({
      signed: { bad: undefined },
      history: { bad: undefined, unsigned: 0 },
    });
    // Later checkpoints use the transaction ids of this cluster again.
    await server.sql(insertEntry('cohort', 811));
    await settled(811);
    await sign();
    expect(await writeCheckpoints(server.database.db, key)).toBe(0);
    expect(await readSigningStatus(server.database.db)).toMatchObject({ unsignedSince: null });
    expect((await verify(server.database.db)).history.bad).toBeUndefined();
  });

  it('sign entries that were unsigned in the dump, even those of a later transaction with a smaller id', async () => {
    await sign();
    await withClient(server.testDatabase.superuserUrl, async (early) => {
      await early.query('begin');
      await early.query('select pg_current_xact_id()');
      await server.sql(insertEntry('cohort', 822));
      await early.query(insertEntry('cohort', 821));
      await early.query(`update checkpoints set cluster = 'another', up_to_xid = pg_current_xact_id(),
        up_to_id = (select max(id) from history) where number = (select max(number) from checkpoints)`);
      await early.query('commit');
    });
    await settled(821, 822);
    await writeCheckpoints(server.database.db, key);
    expect(await headsOf('cohort/822')).toHaveLength(1);
    // The entry of 821 was marked as signed but was not. The next entry of its chain signs it, too.
    await server.sql(insertEntry('cohort', 821));
    await sign();
  });

  it('may sign an entry twice if an older transaction was open, and the history can still be verified', async () => {
    await withClient(server.testDatabase.databaseUrl, async (early) => {
      await early.query('begin');
      await early.query(insertEntry('cohort', 842));
      await server.sql(insertEntry('cohort', 841));
      await markRestored(`'999999999999'`);
      await writeCheckpoints(server.database.db, key);
      await early.query('commit');
    });
    await settled(841, 842);
    await writeCheckpoints(server.database.db, key);
    expect(await headsOf('cohort/841')).toHaveLength(2);
    expect((await verify(server.database.db)).history).toMatchObject({ bad: undefined, unsigned: 0 });
  });

  it('do not sign entries of the dump again when this cluster reaches their transaction ids', async () => {
    await server.sql(insertEntry('cohort', 831));
    await sign();
    const before = await headsOf('cohort/831');
    await withClient(server.testDatabase.superuserUrl, (client) =>
      client.query(`update history set xid = (pg_current_xact_id()::text::bigint + 300)::text::xid8
        where chain = 'cohort' and chain_id = 831`),
    );
    await markRestored(`'999999999999'`);
    await server.sql(insertEntry('cohort', 832));
    await settled(832);
    await sign();
    expect(await readSigningStatus(server.database.db)).toMatchObject({ unsignedSince: null });
    await withClient(server.testDatabase.databaseUrl, async (client) => {
      for (let count = 0; count < 300; count++) await client.query('select pg_current_xact_id()');
    });
    await server.sql(insertEntry('cohort', 832));
    await sign();
    expect(await headsOf('cohort/831')).toEqual(before);
  });
});
