/** @module-tag sql */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unguarded } from '../../testing/guard-versions.ts';
import { modelRows } from '../../testing/model-rows.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/postgres.ts';
import { refusedToOwner, refusedWrites } from '../../testing/refused-writes.ts';

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

/** Judges the deferred constraints, too, and leaves the rows as they were. */
async function write(sql: string, client = app): Promise<unknown> {
  await client.query('begin');
  try {
    return await client.query(`${sql}; set constraints all immediate`);
  } finally {
    await client.query('rollback');
  }
}

describe.each(Object.entries(refusedWrites))('%s', (constraint, statements) => {
  it.each(statements)('refuses %s', async (sql) => {
    await expect(write(sql)).rejects.toMatchObject({ constraint });
  });
});

describe.each(Object.entries(refusedToOwner))('%s', (constraint, statements) => {
  it.each(statements)('refuses %s', async (sql) => {
    await expect(write(sql, owner)).rejects.toMatchObject({ constraint });
  });
});

it('every rule of the model is shown by a write that it refuses', async () => {
  const { rows } = await app.query<{ name: string }>(`
    select conname as name from pg_constraint
    where connamespace = 'public'::regnamespace and contype in ('c', 'u', 'f')
    union select i.indexrelid::regclass::text from pg_index i
    where i.indisunique and i.indpred is not null and i.indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`);
  // Unique of themselves, since id is: they are declared so only to be referred to.
  const targets = new Set(['subjects_id_cohort_unique', 'states_id_workflow_unique', 'experiments_cohort_unique']);
  const rules = rows.map((row) => row.name).filter((name) => !targets.has(name));
  expect(Object.keys({ ...refusedWrites, ...refusedToOwner }).toSorted()).toEqual(rules.toSorted());
});

it('every constraint has a name that we gave it', async () => {
  const { rows } = await app.query<{ name: string }>(`
    select conname as name from pg_constraint
    where connamespace = 'public'::regnamespace and contype <> 'n' and conname !~ '_(pk|fk|unique|check)$'`);
  expect(rows).toEqual([]);
});

describe('what the rules allow', () => {
  it.each([
    // A subject takes its experiments along to another cohort.
    'update subjects set cohort_id = 2 where id = 1',
    // An open incident may follow a closed one of its kind.
    `update incidents set closed_at = clock_timestamp(); insert into incidents (experiment_id, kind) values (1, 'failed')`,
    `update users set username = 'ann@SITE.org', username_key = 'ann@site.org' where id = 1`,
    `insert into subjects (cohort_id, label) values (2, 's1')`,
    `insert into transitions (workflow_id, source_state_id, destination_state_id, ordinal) values (1, 1, 2, 2)`,
    `update callback_executions set status = 'waiting', wait_start = clock_timestamp(), deadline = clock_timestamp()`,
    `update callback_executions set status = 'finished', finished = clock_timestamp()`,
    `update external_experiment_links set external_id = repeat(U&'\\+01F9E0', 1024)`,
  ])('%s', async (sql) => {
    await expect(write(sql)).resolves.toBeDefined();
  });

  it('the experiments of a subject that changed cohort are of the new one, and so are links, scans and notes', async () => {
    await app.query('update subjects set cohort_id = 2 where id = 1');
    for (const table of ['experiments', 'external_subject_links', 'external_experiment_links', 'scans', 'notes']) {
      const { rows } = await app.query(`select distinct cohort_id::int from ${table}`);
      expect(rows).toEqual([{ cohort_id: 2 }]);
    }
  });
});
