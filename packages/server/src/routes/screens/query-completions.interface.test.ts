/**
 * Completion of names and values in a query. The foreign-cohort test covers other cohorts, too.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchedStudy } from '../../../testing/queries/searched-study.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: searchedStudy });
});
afterAll(() => server.stop());

const complete = async (query: Record<string, string>, as = 'admin') => {
  const { status, body } = await server.call('getQueryCompletions', { query, as });
  expect(status).toBe(200);
  return body.completions as { text: string; detail: string | null }[];
};
const textsFor = async (query: Record<string, string>, as?: string) =>
  (await complete(query, as)).map(({ text }) => text);

const setVariable = (experimentId: number, name: string, value: unknown) =>
  server.sql('insert into experiment_variables (experiment_id, name, value) values ($1, $2, $3)', [
    experimentId,
    name,
    JSON.stringify(value),
  ]);
/** The id of the latest experiment of a cohort. */
const latestOf = async (cohortId: number) => {
  const rows = await server.sql<{ id: number }>('select max(id)::int as id from experiments where cohort_id = $1', [
    cohortId,
  ]);
  return rows[0]?.id ?? 0;
};

/** A user with a role of these permissions in one cohort. */
const addUserOf = async (cohortId: number, username: string, permission: string) => {
  const id = await server.addUser(username, []);
  await server.sql(`insert into roles (name, permissions) values ($1, array[$1]) on conflict do nothing`, [permission]);
  await server.sql(
    `insert into cohort_roles (user_id, role_id, cohort_id) select $1, roles.id, $3 from roles where name = $2`,
    [id, permission, cohortId],
  );
  await server.sql('update users set name = $2 where id = $1', [id, `${username} of cohort ${cohortId}`]);
};

describe('completions', () => {
  it('match anywhere in the text, whatever the case, and begin with those that start with it', async () => {
    await server.sql(`insert into external_systems (system_name) values ('Nat'), ('anatomy')`);
    expect(await textsFor({ of: 'external', text: 'NAT' })).toEqual(['Nat', 'anatomy', 'XNAT']);
    expect(await textsFor({ of: 'external' })).toEqual(['anatomy', 'Nat', 'PACS 2', 'XNAT']);
    expect(await textsFor({ of: 'external', text: '%' })).toEqual([]);
  });

  it('are at most 20', async () => {
    await server.sql(`insert into workflows (label) select 'flow ' || n from generate_series(1, 30) n`);
    expect(await textsFor({ of: 'workflow', text: 'flow' })).toHaveLength(20);
  });

  it('of states have the title and the workflow, and each label once', async () => {
    await server.sql(`insert into states (workflow_id, label, title, position) values (1, 'sent', 'Sent to PACS', 9)`);
    await server.sql(`insert into states (workflow_id, label, position, retired) values (1, 'sent away', 10, true)`);
    expect(await complete({ of: 'state', text: 'sent' })).toEqual([
      { text: 'sent', detail: 'Sent to PACS · brain_mri' },
    ]);
    expect(await textsFor({ of: 'state', text: 'pacs' })).toEqual(['sent']);
    expect(await complete({ of: 'state', text: 'visual' })).toEqual([{ text: 'visual_qc', detail: '2 workflows' }]);
  });

  it('of variables are their names, or the short values of one of them', async () => {
    expect(await textsFor({ of: 'var' })).toEqual(['age', 'my var', 'scanner']);
    expect(await textsFor({ of: 'var', key: 'scanner' })).toEqual(['Prisma', 'prisma fit', 'Skyra']);
    expect(await textsFor({ of: 'var', key: 'my var' })).toEqual(['false', 'true']);
    expect(await textsFor({ of: 'var', key: 'age', text: '41' })).toEqual(['41']);
    expect(await textsFor({ of: 'var', key: 'nothing' })).toEqual([]);
    const latest = await latestOf(1);
    const values = ['ä'.repeat(100), 'x'.repeat(101), 'y'.repeat(100_000), { a: 1 }, ['b'], null];
    for (const [index, value] of values.entries()) await setVariable(latest - index * 15, 'odd', value);
    expect(await textsFor({ of: 'var', key: 'odd' })).toEqual(['ä'.repeat(100)]);
  });

  it('of variables are those of the latest 500 experiments that the user can read', async () => {
    await server.addUser('vera', []);
    await server.call('assignCohortRole', { params: { username: 'vera', role_name: 'user', cohort_id: 2 } });
    const ids = await server.sql<{ id: number }>(
      'select id::int from experiments where cohort_id = 2 order by id desc limit 501',
    );
    await setVariable(ids[499]?.id ?? 0, 'recent', 1);
    await setVariable(ids[500]?.id ?? 0, 'old', 1);
    await setVariable(await latestOf(1), 'foreign', 1);
    expect(await textsFor({ of: 'var' }, 'vera')).toEqual(['age', 'my var', 'recent', 'scanner']);
    expect(await textsFor({ of: 'var', key: 'recent' }, 'vera')).toEqual(['1']);
    expect(await textsFor({ of: 'var', key: 'old' }, 'vera')).toEqual([]);
    expect(await textsFor({ of: 'var', key: 'foreign' }, 'vera')).toEqual([]);
    expect(await textsFor({ of: 'var', key: 'foreign' })).toEqual(['1']);
  });

  it('of cohorts are those that the user can read', async () => {
    await server.addUser('carla', []);
    await server.call('assignCohortRole', { params: { username: 'carla', role_name: 'user', cohort_id: 2 } });
    expect(await textsFor({ of: 'cohort' })).toEqual(['Ageing', 'memory-clinic', 'trial b']);
    expect(await textsFor({ of: 'cohort' }, 'carla')).toEqual(['trial b']);
  });

  it('of external IDs are empty', async () => {
    expect(await textsFor({ of: 'external', key: 'XNAT', text: 'XNAT' })).toEqual([]);
  });
});

describe('completions of users', () => {
  it('are active users who can read a cohort in which the user can assign experiments', async () => {
    await addUserOf(2, 'uma', 'sample_update');
    await addUserOf(2, 'ursula', 'user_read');
    await addUserOf(2, 'ugo', 'user_read');
    await addUserOf(3, 'ulla', 'user_read');
    await server.sql(`update users set active = false where username = 'ugo'`);
    expect(await complete({ of: 'assigned', text: 'U' }, 'uma')).toEqual([
      { text: 'uma', detail: 'uma of cohort 2' },
      { text: 'ursula', detail: 'ursula of cohort 2' },
    ]);
    expect(await textsFor({ of: 'assigned', text: 'la of cohort 3' }, 'uma')).toEqual([]);
    expect(await textsFor({ of: 'assigned', text: 'la of cohort 3' })).toEqual(['ulla']);
  });

  it('are empty for users who cannot assign experiments', async () => {
    await addUserOf(2, 'uwe', 'user_read');
    expect(await textsFor({ of: 'assigned' }, 'uwe')).toEqual([]);
  });
});
