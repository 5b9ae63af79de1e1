/**
 * Checkpoints: what was signed cannot be cut off or written anew without being missed.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from 'kysely';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../testing/engine-world.ts';
import { insertEntry } from '../../testing/history-entries.ts';
import { openTestDatabase } from '../../testing/open-database.ts';
import { withClient } from '../../testing/postgres.ts';
import { patienceMs, signAll, verifySigned } from '../../testing/sign-all.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { cutTail, recomputeChain, tamperings, tamperingsWithValues, type Tampering } from '../../testing/tampering.ts';
import { createCheckpointKey, readCheckpointKey, type CheckpointKey } from '../chain/checkpoint-key.ts';
import { signCheckpoint, type Head } from '../chain/sign-checkpoint.ts';
import type { Position } from '../chain/verify-history.ts';
import type { Database, Db, Tx } from '../database/connection.ts';
import { rehearse } from '../database/transaction.ts';
import { findLastCheckpoint, insertCheckpoint, readCheckpoints, readSigning } from '../store/checkpoints.ts';
import { writeCheckpoints } from './write-checkpoints.ts';

let server: TestServer;
let superuser: Database;
let world: EngineWorld;
let noted: number;
const key: CheckpointKey = readCheckpointKey(createCheckpointKey());
/** A hundred places in the middle, each with one behind it. */
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

describe('checkpoints', () => {
  it('sign the last entries of the chains that changed, and nothing where none did', async () => {
    const { signed, history } = await verify(server.database.db);
    expect(signed).toMatchObject({ bad: undefined });
    expect(history).toMatchObject({ bad: undefined, unsigned: 0 });
    expect(signed.chains.get(`experiment/${noted}`)?.sequences).toEqual(expect.arrayContaining([11, 21, 31]));
    expect(await writeCheckpoints(server.database.db, key)).toBe(0);
  });

  it('leave out what is not committed, and sign it afterwards, whoever wrote first', async () => {
    await withClient(server.testDatabase.databaseUrl, async (early) => {
      await early.query('begin');
      await early.query(insertEntry('cohort', 801));
      // Of a later transaction, in a chain that the early one continues.
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

  it('form one line when many workers sign at once', async () => {
    const lasting = Array.from({ length: 8 }, async (_, index) => {
      await note(`while signing ${index}`);
      await writeCheckpoints(server.database.db, key);
    });
    await Promise.all(lasting);
    await sign();
    expect((await verify(server.database.db)).signed.bad).toBeUndefined();
  });
});

/** Undone afterwards. */
const verdictAfter = (tamper: (tx: Tx) => Promise<unknown>) =>
  rehearse(superuser.db, async (tx) => {
    await tamper(tx);
    return verify(tx);
  });

const entry = (sequence: number): Position => ({ chain: 'experiment', chain_id: noted, sequence });
/** All of them at night, every tenth in the gate. */
const hundred = Array.from({ length: 100 }, (_, index) => 2 + index);
const ten = hundred.filter((_, index) => index % 10 === 0);

async function namedOf(tamper: (tx: Tx, at: Position) => Promise<unknown>, places: readonly number[]) {
  const named: (Position | undefined)[] = [];
  for (const at of places) named.push((await verdictAfter((tx) => tamper(tx, entry(at)))).history.bad);
  return named;
}

/** As a worker would a minute later, who looks at the end of the chain alone. */
async function signEnd(tx: Tx): Promise<void> {
  const last = await findLastCheckpoint(tx);
  const { rows } = await sql<{ sequence: number; hash: string }>`
    select sequence, encode(hash, 'hex') as hash from history
    where chain = 'experiment' and chain_id = ${noted} order by sequence desc limit 1`.execute(tx);
  const heads = rows.map(({ sequence, hash }): Head => ['experiment', noted, sequence, hash]);
  const checkpoint = signCheckpoint(last, { at: new Date().toISOString(), heads }, key);
  await insertCheckpoint(tx, checkpoint, last ?? { xid: '0', id: 0, afterId: 0 });
}

const expectFound = async ({ tamper }: Pick<Tampering, 'tamper'>, places: readonly number[]) =>
  expect(await namedOf(tamper, places)).toMatchObject(places.map(entry));

const expectRecomputedFound = async (places: readonly number[]) => {
  const { signed } = await verify(server.database.db);
  const last = entry(signed.chains.get(`experiment/${noted}`)?.last.sequence ?? 0);
  // The chain fits in itself: named is the last entry that was signed.
  expect(await namedOf(recomputeChain, places)).toMatchObject(places.map(() => last));
};

describe('a superuser', () => {
  const found = [...tamperings, ...tamperingsWithValues, { what: 'the end of a chain cut off', tamper: cutTail }];
  const nightly = { tags: ['nightly'] };

  it.each(found)('is still found out at ten places: $what', (one) => expectFound(one, ten));
  it.each(found)('is still found out at a hundred places: $what', nightly, (one) => expectFound(one, hundred));
  it('is found out at ten places: a chain written anew to its end', () => expectRecomputedFound(ten));
  it('is found out at a hundred places: a chain written anew to its end', nightly, () =>
    expectRecomputedFound(hundred),
  );

  it('is found out: a chain written anew, whose new end the next checkpoint signed', async () => {
    const { history } = await verdictAfter(async (tx) => {
      await recomputeChain(tx, entry(5));
      await sql.raw(insertEntry('experiment', noted)).execute(tx);
      await signEnd(tx);
    });
    expect(history.bad?.fault).toContain('An entry before it is not the one that was signed');
  });

  it('is found out: a whole chain removed', async () => {
    const { history } = await verdictAfter((tx) => cutTail(tx, entry(1)));
    expect(history.bad).toMatchObject({ ...entry(1), id: null });
  });

  it.each([
    ['a checkpoint changed', `update checkpoints set heads = '[]' where number = 2`, 2],
    ['a checkpoint removed', 'delete from checkpoints where number = 2', 2],
    ['checkpoints removed from the beginning', 'delete from checkpoints where number < 3', 1],
    ['the time of a checkpoint changed', `update checkpoints set at = at - interval '1 s' where number = 3`, 3],
    [
      'another signature',
      'update checkpoints set signature = sha256(heads::bytea) || sha256(signature) where number = 1',
      1,
    ],
    ['another key', `update checkpoints set key_id = 'mine' where number = 1`, 1],
  ])('is found out: %s', async (_what, statement, number) => {
    const { signed } = await verdictAfter((tx) => sql.raw(statement).execute(tx));
    expect(signed.bad).toMatchObject({ number });
  });
});

/** Says of the last checkpoint that it came with a dump, in whose cluster transactions had come to this number. */
const comeFromElsewhere = (xid: string) =>
  withClient(server.testDatabase.superuserUrl, (client) =>
    client.query(`update checkpoints set cluster = 'another', up_to_xid = ${xid}
      where number = (select max(number) from checkpoints)`),
  );

/** Transactions of other databases may be older than these entries, and hold back what is signed by numbers of transactions. */
const settled = (...cohorts: number[]) =>
  vi.waitFor(
    async () => {
      const { rows } = await sql`select from history where chain = 'cohort' and chain_id = any(${cohorts}::bigint[])
        and xid >= pg_snapshot_xmin(pg_current_snapshot())`.execute(server.database.db);
      expect(rows).toEqual([]);
    },
    { interval: 20, timeout: patienceMs },
  );

/** Of a chain, in all checkpoints. */
async function headsOf(name: string): Promise<Head[]> {
  const found: Head[] = [];
  for await (const { heads } of readCheckpoints(server.database.db)) {
    found.push(...(JSON.parse(heads) as Head[]).filter(([chain, id]) => `${chain}/${id}` === name));
  }
  return found;
}

describe('after a dump came from another cluster, checkpoints', () => {
  it.each([
    ['lie ahead', `'999999999999'`],
    ['were passed since', 'pg_current_xact_id()'],
  ])('sign what was written here, where its numbers of transactions %s', async (_where, xid) => {
    await sign();
    for (const chain of [811, 812, 813]) await server.sql(insertEntry('cohort', chain));
    await settled(811, 812, 813);
    await comeFromElsewhere(xid);
    expect((await readSigning(server.database.db)).unsignedSince).not.toBeNull();
    expect(await writeCheckpoints(server.database.db, key, { limit: 2 })).toBe(2);
    expect(await verify(server.database.db)).toMatchObject({
      signed: { bad: undefined },
      history: { bad: undefined, unsigned: 0 },
    });
    // From here on as ever: by the numbers of this cluster.
    await server.sql(insertEntry('cohort', 811));
    await settled(811);
    await sign();
    expect(await writeCheckpoints(server.database.db, key)).toBe(0);
    expect(await readSigning(server.database.db)).toMatchObject({ unsignedSince: null });
    expect((await verify(server.database.db)).history.bad).toBeUndefined();
  });

  it('sign what was left there, also what was written earlier by a later transaction', async () => {
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
    // The other was not signed in truth: what comes after it signs it, too.
    await server.sql(insertEntry('cohort', 821));
    await sign();
  });

  it('sign twice what was written while an older transaction ran, which does no harm', async () => {
    await withClient(server.testDatabase.databaseUrl, async (early) => {
      await early.query('begin');
      await early.query(insertEntry('cohort', 842));
      await server.sql(insertEntry('cohort', 841));
      await comeFromElsewhere(`'999999999999'`);
      await writeCheckpoints(server.database.db, key);
      await early.query('commit');
    });
    await settled(841, 842);
    await writeCheckpoints(server.database.db, key);
    expect(await headsOf('cohort/841')).toHaveLength(2);
    expect((await verify(server.database.db)).history).toMatchObject({ bad: undefined, unsigned: 0 });
  });

  it('do not sign again what was signed there, once its numbers are reached here', async () => {
    await server.sql(insertEntry('cohort', 831));
    await sign();
    const before = await headsOf('cohort/831');
    await withClient(server.testDatabase.superuserUrl, (client) =>
      client.query(`update history set xid = (pg_current_xact_id()::text::bigint + 300)::text::xid8
        where chain = 'cohort' and chain_id = 831`),
    );
    await comeFromElsewhere(`'999999999999'`);
    await server.sql(insertEntry('cohort', 832));
    await settled(832);
    await sign();
    expect(await readSigning(server.database.db)).toMatchObject({ unsignedSince: null });
    await withClient(server.testDatabase.databaseUrl, async (client) => {
      for (let count = 0; count < 300; count++) await client.query('select pg_current_xact_id()');
    });
    await server.sql(insertEntry('cohort', 832));
    await sign();
    expect(await headsOf('cohort/831')).toEqual(before);
  });
});
