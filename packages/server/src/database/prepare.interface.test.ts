/** @module-tag sql */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../testing/open-database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { prepare } from './prepare.ts';
import type { Database } from './connection.ts';
import { inTransaction } from './transaction.ts';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openTestDatabase(testDatabase.databaseUrl);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

describe('prepare', () => {
  it('builds an sql template once and executes it with the values of each call', async () => {
    let built = 0;
    const add = prepare<{ left: number; right: number }, { sum: number }>((bind) => {
      built += 1;
      const [left, right] = [bind((values) => values.left), bind((values) => values.right)];
      return sql`select ${left}::integer + ${right}::integer * ${10}::integer as sum`;
    });
    expect(await add(database.db, { left: 1, right: 2 })).toEqual([{ sum: 21 }]);
    expect(await add(database.db, { left: 3, right: 4 })).toEqual([{ sum: 43 }]);
    expect(built).toBe(1);
  });

  it('accepts a query builder, and values that are null or appear several times', async () => {
    const findRoles = prepare<string | null, { name: string; given: string | null }>((bind, db) => {
      const name = bind((value) => value);
      return db
        .selectFrom('roles')
        .select(['roles.name', sql<string | null>`${name}::text`.as('given')])
        .where('roles.name', '=', sql<string>`coalesce(${name}, 'admin')`);
    });
    expect(await findRoles(database.db, 'user')).toEqual([{ name: 'user', given: 'user' }]);
    expect(await findRoles(database.db, null)).toEqual([{ name: 'admin', given: null }]);
  });

  it('runs in the transaction that it is given, even if it was compiled outside', async () => {
    const countCohorts = prepare<string, { count: number }>((bind, db) =>
      db
        .selectFrom('cohorts')
        .select((count) => count.fn.countAll<number>().as('count'))
        .where(
          'cohorts.label',
          '=',
          bind((label) => label),
        ),
    );
    expect(await countCohorts(database.db, 'compiled')).toEqual([{ count: 0 }]);
    await inTransaction(database.db, async (tx) => {
      await tx.insertInto('cohorts').values({ label: 'compiled' }).execute();
      expect(await countCohorts(tx, 'compiled')).toEqual([{ count: 1 }]);
      expect(await countCohorts(database.db, 'compiled')).toEqual([{ count: 0 }]);
    });
  });
});
