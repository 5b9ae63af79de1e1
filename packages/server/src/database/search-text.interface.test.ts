/**
 * The text in which a search finds an experiment, and its index.
 *
 * @module-tag sql
 */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unguarded } from '../../testing/guard-versions.ts';
import { modelRows } from '../../testing/rows/model-rows.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../../testing/test-database.ts';
import { migrate } from './migrate.ts';
import { readSearchSupport } from './search-text.ts';

let database: TestDatabase;
let app: Client;
const connect = async () => {
  const client = new Client({ connectionString: database.databaseUrl });
  await client.connect();
  await client.query(unguarded);
  return client;
};
beforeAll(async () => {
  database = await createTestDatabase();
  app = await connect();
  await app.query(modelRows);
});
afterAll(async () => {
  await app.end();
  await database.drop();
});

const textOf = async (id: number) => {
  const { rows } = await app.query<{ text: string }>('select text from experiment_search where experiment_id = $1', [
    id,
  ]);
  return rows[0]?.text.split('\n').slice(1);
};
/** Whether another connection waits for that of the tests. */
const isBlocked = async () => {
  const waiting = 'select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))';
  return (await app.query(waiting)).rows.length > 0;
};
const supportOf = () => readSearchSupport((text) => app.query(text));
const asOwner = (text: string) => withClient(database.ownerUrl, (client) => client.query(text));

describe('the search text of an experiment', () => {
  it('has its label, that of its subject and the external IDs of both', async () => {
    expect(await textOf(1)).toEqual(['e1', 's1', 'p1', 'x1', 'p1', 'x1']);
    expect(await textOf(2)).toEqual(['e2', 's1', 'p1', 'x1']);
  });

  it('follows changes of each, in lower case', async () => {
    await app.query(`update experiments set label = 'MC-Ä-1' where id = 2`);
    await app.query(`update subjects set label = 'S9' where id = 1`);
    await app.query(`update external_subject_links set external_id = E'Two\nlines' where external_system_id = 1`);
    await app.query('delete from external_subject_links where external_system_id = 2');
    await app.query(`insert into external_experiment_links (experiment_id, cohort_id, external_system_id, external_id)
      values (2, 1, 1, 'XNAT_E00029')`);
    expect(await textOf(2)).toEqual(['mc-Ä-1', 's9', 'xnat_e00029', 'two lines']);
    await app.query('update experiments set subject_id = 2 where id = 2');
    expect(await textOf(2)).toEqual(['mc-Ä-1', 's2', 'xnat_e00029']);
  });

  it('is not written by a move', async () => {
    const version = async () =>
      (await app.query('select xmin, ctid from experiment_search where experiment_id = 1')).rows[0];
    const before = await version();
    await app.query(`update experiments set state_id = 2, action_sequence = 3, version = version + 1 where id = 1`);
    expect(await version()).toEqual(before);
  });

  it('moves to another cohort with its experiment', async () => {
    await app.query('update subjects set cohort_id = 2 where id = 2');
    const { rows } = await app.query('select cohort_id::int from experiment_search where experiment_id = 2');
    expect(rows).toEqual([{ cohort_id: 2 }]);
  });

  it('has both of two changes that happen at the same time', async () => {
    const other = await connect();
    await app.query('begin');
    await app.query(`update subjects set label = 'first' where id = 1`);
    const second = other.query(`update external_experiment_links set external_id = 'second' where experiment_id = 1`);
    await expect.poll(isBlocked).toBe(true);
    await app.query('commit');
    await second;
    await other.end();
    expect(await textOf(1)).toEqual(expect.arrayContaining(['first', 'second']));
  });

  it('has an external ID that its subject gets while it is created', async () => {
    const other = await connect();
    await app.query('begin');
    await app.query(`insert into external_subject_links (subject_id, cohort_id, external_system_id, external_id)
      select id, cohort_id, 1, 'meanwhile' from subjects where id = 2`);
    const created = other.query<{ id: number }>(
      `insert into experiments (subject_id, cohort_id, workflow_id, state_id, label)
       select 2, subjects.cohort_id, workflow_id, state_id, 'new' from experiments, subjects
       where experiments.id = 1 and subjects.id = 2 returning id::int`,
    );
    let isDone = false;
    void created.then(() => (isDone = true));
    await expect.poll(async () => isDone || (await isBlocked())).toBe(true);
    await app.query('commit');
    const [made] = (await created).rows;
    await other.end();
    expect(await textOf(made?.id ?? 0)).toContain('meanwhile');
  });
});

describe('milepost migrate', () => {
  it('fills the text of experiments that have none', async () => {
    const before = await textOf(1);
    await asOwner('delete from experiment_search');
    await migrate(database);
    expect(await textOf(1)).toEqual(before);
  });

  it('works without pg_trgm, and creates the index once the extension is installed', async () => {
    expect(await supportOf()).toBe('substrings');
    const name = new URL(database.ownerUrl).pathname.slice(1);
    await asOwner('drop extension pg_trgm cascade');
    await withClient(database.superuserUrl, async (client) => {
      await client.query(`alter database ${name} owner to current_user`);
      await client.query(`grant create on schema public to ${database.ownerRole}`);
    });
    await migrate(database);
    expect(await supportOf()).toBe('not installed');
    await withClient(database.superuserUrl, (client) => client.query('create extension pg_trgm'));
    expect(await supportOf()).toBe('no index');
    await migrate(database);
    expect(await supportOf()).toBe('substrings');
  });
});
