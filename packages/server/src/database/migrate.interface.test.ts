/** @module-tag sql */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase, withClient } from '../../testing/test-database.ts';
import { canRewriteHistory, migrate, migrationsFolder, pendingMigrations } from './migrate.ts';

const open: TestDatabase[] = [];
const folders: string[] = [];

async function database(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const created = await createTestDatabase(options);
  open.push(created);
  return created;
}

async function copyOfMigrations(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-migrations-'));
  folders.push(folder);
  await cp(migrationsFolder, folder, { recursive: true });
  return folder;
}

const pendingOn = (url: string) => withClient(url, (client) => pendingMigrations((sql) => client.query(sql)));
const couldRewrite = (url: string) => withClient(url, (client) => canRewriteHistory((sql) => client.query(sql)));

afterAll(async () => {
  await Promise.all(open.map((created) => created.drop()));
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

describe('migrate', () => {
  it('applies each migration once when eight processes start at the same time', async () => {
    const { ownerUrl, appRole } = await database({ empty: true });
    const results = await Promise.all(Array.from({ length: 8 }, () => migrate({ ownerUrl, appRole })));

    const lengths = results.map((result) => result.applied.length);
    const all = Math.max(...lengths);
    expect(all).toBeGreaterThan(0);
    expect(lengths.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 0, 0, all]);
    const rows = await withClient(ownerUrl, (client) => client.query('select name from migrations order by number'));
    expect(rows.rows.map((row) => row.name)).toEqual(results.find((result) => result.applied.length > 0)?.applied);
  });

  it('rolls back a failing migration completely and applies it after it is fixed', async () => {
    const { ownerUrl, appRole } = await database();
    const folder = await copyOfMigrations();
    await writeFile(join(folder, '9000_broken.sql'), 'create table half (id bigint); create table half (id bigint);');
    await expect(migrate({ ownerUrl, appRole, folder })).rejects.toThrow(/9000_broken failed and was rolled back/);

    await writeFile(join(folder, '9000_broken.sql'), 'create table half (id bigint);');
    expect(await migrate({ ownerUrl, appRole, folder })).toEqual({ applied: ['9000_broken'] });
  });

  it('creates an index concurrently and repeats a migration that failed half-way', async () => {
    const { ownerUrl, appRole, superuserUrl } = await database();
    const folder = await copyOfMigrations();
    const path = join(folder, '9000_outside.sql');
    const text = `-- Outside a transaction
alter table cohorts add column if not exists colour text;
drop index concurrently if exists colour_index;
create unique index concurrently colour_index on cohorts (length(label));
create or replace function colour_count() returns bigint language plpgsql as $$
declare
  counted bigint;
begin
  select count(*) into counted from cohorts;
  return counted;
end $$;
`;
    await writeFile(path, text);
    await withClient(superuserUrl, async (other) => {
      await other.query(`insert into cohorts (label) values ('one'), ('two')`);
      await expect(migrate({ ownerUrl, appRole, folder })).rejects.toThrow(
        /9000_outside failed before it was complete/,
      );
      await other.query(`delete from cohorts where label = 'two'`);
      // A long-lived snapshot, like that of a backup.
      await other.query('begin isolation level repeatable read');
      await other.query('select from roles');
      const migrating = migrate({ ownerUrl, appRole, folder });
      const waits = `select from pg_stat_activity where wait_event = 'virtualxid' and datname = current_database()`;
      await expect.poll(async () => (await withClient(superuserUrl, (third) => third.query(waits))).rowCount).toBe(1);
      await other.query('commit');
      expect(await migrating).toEqual({ applied: ['9000_outside'] });
      const made = await other.query(`select indisvalid from pg_index where indexrelid = 'colour_index'::regclass`);
      expect(made.rows).toEqual([{ indisvalid: true }]);
      expect((await other.query('select colour_count() as counted')).rows).toEqual([{ counted: '1' }]);
    });
  });

  it('rejects a database if an applied migration file was changed', async () => {
    const { ownerUrl, appRole } = await database();
    const folder = await copyOfMigrations();
    const path = join(folder, '0001_people.sql');
    await writeFile(path, `${await readFile(path, 'utf8')}\n-- another word`);
    await expect(migrate({ ownerUrl, appRole, folder })).rejects.toThrow(
      /0001_people was changed after it was applied.*new migration/,
    );
  });

  it('accepts an applied migration file with CRLF line endings', async () => {
    const { ownerUrl, appRole } = await database();
    const folder = await copyOfMigrations();
    const path = join(folder, '0001_people.sql');
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll('\n', '\r\n'));
    expect(await migrate({ ownerUrl, appRole, folder })).toEqual({ applied: [] });
  });

  it('rejects a database of a newer release', async () => {
    const { ownerUrl, appRole } = await database();
    await withClient(ownerUrl, (client) =>
      client.query(`insert into migrations (number, name, sha256) values (9999, '9999_future', '')`),
    );
    await expect(migrate({ ownerUrl, appRole })).rejects.toThrow(/9999_future.*newer release/);
  });

  it('explains how to create the application role if it does not exist', async () => {
    const { ownerUrl } = await database();
    await expect(migrate({ ownerUrl, appRole: 'no"body' })).rejects.toThrow(/create role "no""body" login/);
  });
});

describe('pendingMigrations', () => {
  it('returns all migrations for an empty database and none for a migrated one, read as the application role', async () => {
    const empty = await database({ empty: true });
    const migrated = await database();
    expect(await pendingOn(empty.databaseUrl)).toContain('0001_people');
    expect(await pendingOn(migrated.databaseUrl)).toEqual([]);
  });
});

describe('the application role', () => {
  let app: Client;
  let test: TestDatabase;

  beforeAll(async () => {
    test = await database();
    app = new Client({ connectionString: test.databaseUrl });
    await app.connect();
    await app.query(
      `insert into history (actor_kind, operation, object_kind, object_id) values ('operator', 'test', 'cohort', 1)`,
    );
  });
  afterAll(() => app.end());

  it.each([
    `update history set reason = 'other'`,
    'delete from history',
    'truncate history',
    `update history_values set reason = 'other'`,
    'delete from history_values',
    `update personal_keys set key = sha256('')`,
    'delete from personal_keys',
    `update checkpoints set heads = ''`,
    'delete from checkpoints',
    `update erasures set destroyed = '{}'`,
    'delete from erasures',
    'delete from erasure_requests',
    'select forget_record(ids_to_erase(1))',
    `insert into history (actor_kind, operation, object_kind, object_id, at)
     values ('operator', 'test', 'cohort', 1, now() - interval '1 day')`,
    `insert into history (actor_kind, operation, object_kind, object_id, sequence, hash)
     values ('operator', 'test', 'cohort', 1, 7, sha256(''))`,
    'drop table history',
    'alter table history disable trigger all',
    'alter table experiments drop constraint experiments_label_unique',
    `update workflow_revisions set definition = ''`,
    'delete from workflow_revisions',
    `update callback_versions set function = 'other'`,
    'delete from callback_versions',
    `update events set kind = 'other'`,
    'truncate events',
    'delete from experiments',
    'delete from users',
    `update migrations set sha256 = ''`,
    'delete from migrations',
    'create table mine (id bigint)',
  ])('cannot %s', async (statement) => {
    await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('cannot rewrite history, unlike the owner and the superuser (V16.4.2)', async () => {
    expect(await couldRewrite(test.databaseUrl)).toBe(false);
    expect(await couldRewrite(test.ownerUrl)).toBe(true);
    expect(await couldRewrite(test.superuserUrl)).toBe(true);
  });

  it('loses privileges that grants.sql does not list (V13.2.2)', async () => {
    const { ownerUrl, databaseUrl, appRole } = await database();
    await withClient(ownerUrl, (client) => client.query(`grant update on history to ${appRole}`));
    await migrate({ ownerUrl, appRole });
    expect(await couldRewrite(databaseUrl)).toBe(false);
  });
});
