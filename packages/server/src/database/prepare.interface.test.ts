/** @module-tag sql */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../testing/open-database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { compileOnce, type Given } from './prepare.ts';
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

describe('compileOnce', () => {
  it('builds an sql template once and executes it with the values of each call', async () => {
    let built = 0;
    const add = compileOnce((_db, given: Given<{ left: number; right: number }>) => {
      built += 1;
      return sql<{ sum: number }>`select ${given.left}::integer + ${given.right}::integer * ${10}::integer as sum`;
    });
    expect(await add(database.db, { left: 1, right: 2 })).toEqual([{ sum: 21 }]);
    expect(await add(database.db, { left: 3, right: 4 })).toEqual([{ sum: 43 }]);
    expect(built).toBe(1);
  });

  it('accepts a query builder, and values that are null or appear several times', async () => {
    const findRoles = compileOnce((db, given: Given<{ name: string | null }>) =>
      db
        .selectFrom('roles')
        .select(['roles.name', sql<string | null>`${given.name}::text`.as('given')])
        .where('roles.name', '=', sql<string>`coalesce(${given.name}, 'admin')`),
    );
    expect(await findRoles(database.db, { name: 'user' })).toEqual([{ name: 'user', given: 'user' }]);
    expect(await findRoles(database.db, { name: null })).toEqual([{ name: 'admin', given: null }]);
  });

  it('compiles each shape once', async () => {
    const built: string[] = [];
    const read = compileOnce((_db, given: Given<{ value: string }>, shape: 'short' | 'long') => {
      built.push(shape);
      return sql<{
        text: string;
      }>`select ${shape === 'short' ? given.value : sql`${given.value} || '!'`}::text as text`;
    });
    for (const value of ['a', 'b']) {
      expect(await read(database.db, { value }, 'short')).toEqual([{ text: value }]);
      expect(await read(database.db, { value }, 'long')).toEqual([{ text: `${value}!` }]);
    }
    expect(built).toEqual(['short', 'long']);
  });

  it('runs in the transaction that it is given, even if it was compiled outside', async () => {
    const countCohorts = compileOnce((db, given: Given<{ label: string }>) =>
      db
        .selectFrom('cohorts')
        .select((count) => count.fn.countAll<number>().as('count'))
        .where('cohorts.label', '=', given.label),
    );
    const values = { label: 'compiled' };
    expect(await countCohorts(database.db, values)).toEqual([{ count: 0 }]);
    await inTransaction(database.db, async (tx) => {
      await tx.insertInto('cohorts').values(values).execute();
      expect(await countCohorts(tx, values)).toEqual([{ count: 1 }]);
      expect(await countCohorts(database.db, values)).toEqual([{ count: 0 }]);
    });
  });
});
