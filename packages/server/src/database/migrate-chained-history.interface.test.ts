/**
 * Migration 0010 chains a history that was written before chains existed, in the order in which it was written.
 *
 * @module-tag sql
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestDatabase } from '../../testing/open-database.ts';
import { createTestDatabase, withClient } from '../../testing/test-database.ts';
import { verifyHistory } from '../chain/verify-history.ts';
import { readChains } from '../store/record/chained-history.ts';
import { migrate, migrationsFolder } from './migrate.ts';

const earlier = `
  insert into cohorts (label) values ('c');
  insert into subjects (cohort_id, label) values (1, 's');
  insert into workflows (label) values ('w');
  insert into states (workflow_id, label, position) values (1, 'a', 0);
  insert into experiments (subject_id, cohort_id, workflow_id, state_id, label) values (1, 1, 1, 1, 'e');
  insert into history (actor_kind, operation, object_kind, object_id, before, after, reason) values
    ('operator', 'one', 'experiment', 1, null, '{"label": "e", "state": "a"}', ''),
    ('operator', 'two', 'cohort', 1, null, '{"label": "c"}', 'because'),
    ('operator', 'three', 'experiment', 1, '{"state": "a"}', '{"state": "b"}', 'because'),
    ('operator', 'four', 'user', 1, null, '{"name": "Ann"}', '');`;

const allEntries = 'select id, at, operation, before, after, reason from history_with_values order by id';

it('migration 0010 keeps every existing entry unchanged and adds it to a chain', async () => {
  const { ownerUrl, databaseUrl, appRole, drop } = await createTestDatabase({ empty: true });
  const folder = await mkdtemp(join(tmpdir(), 'milepost-migrations-'));
  await cp(migrationsFolder, folder, { recursive: true, filter: (file) => !/\/00[1-9]\d_/.test(file) });
  await writeFile(join(folder, 'grants.sql'), 'select 1');
  await migrate({ ownerUrl, appRole, folder });
  const before = await withClient(ownerUrl, async (client) => {
    await client.query(earlier);
    return (await client.query(allEntries.replace('history_with_values', 'history'))).rows;
  });

  await migrate({ ownerUrl, appRole });
  const after = await withClient(ownerUrl, (client) => client.query(allEntries));
  expect(before).toHaveLength(4);
  expect(after.rows).toEqual(before);
  const database = openTestDatabase(databaseUrl);
  expect(await verifyHistory(readChains(database.db))).toMatchObject({
    entries: 4,
    chains: 3,
    erased: 0,
    bad: undefined,
  });
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query(
      `insert into history (actor_kind, operation, object_kind, object_id) values ('operator', 'five', 'cohort', 1)
       returning id::int, sequence::int`,
    ),
  );
  expect(rows).toEqual([{ id: 5, sequence: 2 }]);

  await database.close();
  await rm(folder, { recursive: true });
  await drop();
});
