/** @module-tag sql */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unguarded } from '../../testing/guard-versions.ts';
import { modelRows } from '../../testing/rows/model-rows.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { refusedOwnerWrites, refusedWrites } from '../../testing/rows/refused-writes.ts';

let database: TestDatabase;
let app: Client;
let owner: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  app = new Client({ connectionString: database.databaseUrl });
  await app.connect();
  await app.query(unguarded);
  await app.query(modelRows);
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
});

afterAll(async () => {
  await app.end();
  await owner.end();
  await database.drop();
});

/** Also checks deferred constraints, then rolls back. */
async function write(sql: string, client = app): Promise<unknown> {
  await client.query('begin');
  try {
    return await client.query(`${sql}; set constraints all immediate`);
  } finally {
    await client.query('rollback');
  }
}

describe.each(Object.entries(refusedWrites))('%s', (constraint, statements) => {
  it.each(statements)('rejects %s', async (sql) => {
    await expect(write(sql)).rejects.toMatchObject({ constraint });
  });
});

describe.each(Object.entries(refusedOwnerWrites))('%s', (constraint, statements) => {
  it.each(statements)('rejects %s', async (sql) => {
    await expect(write(sql, owner)).rejects.toMatchObject({ constraint });
  });
});

it('the rejected writes cover every constraint', async () => {
  const { rows } = await app.query<{ name: string }>(`
    select conname as name from pg_constraint
    where connamespace = 'public'::regnamespace and contype in ('c', 'u', 'f')
    union select i.indexrelid::regclass::text from pg_index i
    where i.indisunique and i.indpred is not null and i.indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`);
  // These cannot be violated, because id is unique. They exist only as targets of foreign keys.
  const targets = new Set(['subjects_id_cohort_unique', 'states_id_workflow_unique', 'experiments_cohort_unique']);
  const rules = rows.map((row) => row.name).filter((name) => !targets.has(name));
  expect(Object.keys({ ...refusedWrites, ...refusedOwnerWrites }).toSorted()).toEqual(rules.toSorted());
});

it('the model names every constraint explicitly', async () => {
  const { rows } = await app.query<{ name: string }>(`
    select conname as name from pg_constraint
    where connamespace = 'public'::regnamespace and contype <> 'n' and conname !~ '_(pk|fk|unique|check)$'`);
  expect(rows).toEqual([]);
});

describe('the model', () => {
  it.each([
    // The experiments of a subject move to the new cohort with it.
    'update subjects set cohort_id = 2 where id = 1',
    // An incident can be opened after one of the same kind was closed.
    `update incidents set closed_at = clock_timestamp(); insert into incidents (experiment_id, kind) values (1, 'failed')`,
    `update users set username = 'ann@SITE.org', username_key = 'ann@site.org' where id = 1`,
    `insert into subjects (cohort_id, label) values (2, 's1')`,
    `insert into transitions (workflow_id, source_state_id, destination_state_id, ordinal) values (1, 1, 2, 2)`,
    `update callback_executions set status = 'waiting', wait_start = clock_timestamp(), deadline = clock_timestamp()`,
    `update callback_executions set status = 'finished', finished = clock_timestamp()`,
    `update external_experiment_links set external_id = repeat(U&'\\+01F9E0', 1024)`,
  ])('accepts %s', async (sql) => {
    await expect(write(sql)).resolves.toBeDefined();
  });

  it('moves experiments, links, scans and notes to the new cohort of their subject', async () => {
    await app.query('update subjects set cohort_id = 2 where id = 1');
    for (const table of ['experiments', 'external_subject_links', 'external_experiment_links', 'scans', 'notes']) {
      const { rows } = await app.query(`select distinct cohort_id::int from ${table}`);
      expect(rows).toEqual([{ cohort_id: 2 }]);
    }
  });
});
