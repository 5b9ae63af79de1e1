/**
 * Tests what retention removes, what it keeps and how many rows it removes at a time, with 50,000 rows of each kind.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyRows } from '../../../testing/rows/many-rows.ts';
import { withClient } from '../../../testing/test-database.ts';
import { rowsRead, sentPlan, statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { removeOutdated, retention, type Removable, type Removed } from './retention.ts';

const keep = { events: 30, logs: 30, sessions: 30, bulkOperations: 30, imports: 30 };
const long = 'x'.repeat(5000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ rows: manyRows });
  await remove();
  // Otherwise a key expires every two seconds.
  await server.sql('update idempotency_keys set created_at = now()');
});
afterAll(() => server.stop());

const remove = () => removeOutdated(server.database.db, keep);
const count = async (table: string, where = 'true') =>
  (await server.sql<{ count: number }>(`select count(*)::int from ${table} where ${where}`))[0]?.count ?? 0;

/** Makes some rows of each kind older than the retention period, and others slightly younger. */
const ageing: Record<Removable, { table: string; age: string; stays: string }> = {
  begun_sign_ins: {
    table: 'begun_sign_ins',
    age: `update begun_sign_ins set expires_at = now() - case when old.secret_hash is null then interval '23 hours'
        else interval '24 hours 1 minute' end
      from begun_sign_ins as one left join (select secret_hash from begun_sign_ins order by secret_hash limit 6000) as old using (secret_hash)
      where one.secret_hash = begun_sign_ins.secret_hash`,
    stays: `begun_sign_ins.expires_at > now() - interval '24 hours'`,
  },
  bulk_items: {
    table: 'bulk_items',
    age: `insert into bulk_operations (kind, change, author_id, query, starts_itself, rate, status, created_at, ended_at)
        select 'retry', '{}', (select min(id) from users), '', one.status = 'finished', 1, one.status, now() - one.age,
          case when one.status in ('finished', 'stopped') then now() - one.age end
        from (values ('finished', interval '30 days 1 minute'), ('finished', interval '29 days 23 hours'),
          ('paused', interval '2 years'), ('checked', interval '31 days'), ('checked', interval '25 hours'),
          ('stopped', interval '25 hours'), ('stopped', interval '23 hours'), ('checked', interval '23 hours')) as one (status, age);
      insert into bulk_items (operation_id, number, experiment_id, result)
        select bulk_operations.id, n, n, 'done' from bulk_operations, generate_series(1, 3000) n;
      with young as (
        insert into bulk_operations (kind, change, author_id, query, starts_itself, rate, status, ended_at)
        select 'retry', '{}', (select min(id) from users), '', true, 1, 'finished', now() from generate_series(1, 3000) returning id)
      insert into bulk_items (operation_id, number, experiment_id, result)
        select young.id, n, n, 'done' from young, generate_series(1, 10) n;
      analyze bulk_operations`,
    stays: `(select status = 'paused' or status = 'finished' and ended_at > now() - interval '30 days'
      or coalesce(ended_at, created_at) > now() - interval '24 hours' from bulk_operations where id = operation_id)`,
  },
  events: {
    table: 'events',
    age: `update events set at = now() - interval '30 days 1 minute' where id <= 6000;
      update events set at = now() - interval '29 days 23 hours' where id between 6001 and 7000`,
    stays: 'id > 6000',
  },
  idempotency_keys: {
    table: 'idempotency_keys',
    age: `update idempotency_keys set created_at = now() - case when substr(key, 2)::int <= 6000
        then interval '24 hours 1 minute' else interval '23 hours' end`,
    stays: 'substr(key, 2)::int > 6000',
  },
  import_lines: {
    table: 'import_lines',
    age: `with old as (
        insert into imports (author_id, cohort_id, file_name, encoding, delimiter, headers, mapping, column_faults, status, lines, created_at, ended_at)
        select (select min(id) from users), (select min(id) from cohorts), '', 'utf-8', ',', '{a}', '[{}]', '{0,0}', one.status, 3000,
          now() - one.age, case when one.status = 'finished' then now() - one.age end
        from (values ('finished', interval '30 days 1 minute'), ('finished', interval '29 days 23 hours'), ('running', interval '2 years'),
          ('paused', interval '2 years'), ('checked', interval '31 days')) as one (status, age)
        returning id)
      insert into import_lines (import_id, line, cells) select old.id, n, '[]' from old, generate_series(1, 3000) n;
      with young as (
        insert into imports (author_id, cohort_id, file_name, encoding, delimiter, headers, mapping, column_faults, status, ended_at)
        select (select min(id) from users), (select min(id) from cohorts), '', 'utf-8', ',', '{a}', '[{}]', '{0,0}', 'finished', now()
        from generate_series(1, 3000) returning id)
      insert into import_lines (import_id, line, cells) select young.id, n, '[]' from young, generate_series(1, 10) n;
      insert into import_faults (import_id, number, line, place, detail)
        select imports.id, n, 1, 0, '' from imports, generate_series(1, 10) n;
      insert into import_keys (import_id, key, value, line)
        select imports.id, n::text::bytea, '', 1 from imports, generate_series(1, 10) n;
      analyze imports, import_faults, import_keys`,
    stays: `(select status in ('running', 'paused') or ended_at > now() - interval '30 days' from imports where id = import_id)`,
  },
  logs: {
    table: 'callback_executions',
    age: `update callback_executions set created = now() - interval '60 days', run_start = null, run_log = '${long}',
        finished = now() - case when id <= 1000 then interval '30 days 1 minute' else interval '29 days 23 hours' end
      where status = 'finished' and id <= 2000;
      update callback_executions set result_log = 'seen' where id = 3;
      update callback_executions set run_log = '', attempt = 1 where id in (5, 6);
      update execution_attempts set log = '${long}' where execution_id <= 2000 and execution_id <> 6`,
    stays: `length(run_log) = ${long.length} and id > 1000`,
  },
  password_resets: {
    table: 'password_resets',
    age: `update password_resets set asked_at = now() - case when id <= 6000 then interval '24 hours 1 minute'
        else interval '12 hours' end`,
    stays: 'password_resets.id > 6000',
  },
  sessions: {
    table: 'sessions',
    age: `update sessions set created_at = shifted.at, last_used_at = shifted.at, ended_at = null,
        expires_at = shifted.at + interval '12 hours'
      from (select id, now() - interval '12 hours' - case when id <= 6000 then interval '30 days 1 minute'
        else interval '29 days 23 hours' end as at from sessions) as shifted where shifted.id = sessions.id`,
    stays: 'sessions.id > 6000',
  },
  tokens: {
    table: 'api_tokens',
    age: `update api_tokens set created_at = shifted.at - interval '1 day', last_used_at = null,
        expires_at = case when shifted.id % 2 = 0 then shifted.at else shifted.at + interval '200 days' end,
        revoked_at = case when shifted.id % 2 = 1 then shifted.at end
      from (select id, now() - case when id <= 6000 then interval '90 days 1 minute'
        else interval '89 days 23 hours' end as at from api_tokens) as shifted where shifted.id = api_tokens.id`,
    stays: 'api_tokens.id > 6000',
  },
};

const analyze = (table: string) =>
  withClient(server.testDatabase.ownerUrl, (client) => client.query(`vacuum analyze ${table}`));

describe.each(retention.map(({ what, batchSize }) => ({ what, batchSize, ...ageing[what] })))('$what', (one) => {
  it('are removed in batches after the retention period, and younger rows are kept', async () => {
    await server.sql(one.age);
    await analyze(one.table);
    const [all, staying] = [await count(one.table), await count(one.table, one.stays)];
    let removed: Removed = {};
    const sent = await statementsDuring(
      async () => (removed = await remove()),
      new RegExp(`with .*${one.table}"? `, 's'),
    );
    const left = one.what === 'logs' ? 990 : 6000;
    expect(removed).toEqual({ [one.what]: expect.any(Number) });
    expect(removed[one.what]).toBeGreaterThan(left - 50);
    expect(await count(one.table, one.stays)).toBe(staying);
    expect(await count(one.table)).toBe(one.what === 'logs' ? all : staying);
    // No batch exceeds the maximum, and none is wasted.
    expect(sent).toHaveLength(Math.ceil(((removed[one.what] ?? 0) + 1) / one.batchSize));
    expect(await remove()).toEqual({});
  });

  it('are found with an index, without reading rows that are kept', async () => {
    // Statistics from before the removal make the planner expect 6000 old rows.
    await analyze(one.table);
    const [statement] = await statementsDuring(remove, new RegExp(`with .*${one.table}"? `, 's'));
    for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
      const plan = await sentPlan(server, statement ?? { text: '', values: [] }, mode);
      const whole = plan.filter(
        (node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'forgotten_events',
      );
      expect(whole).toEqual([]);
      expect(rowsRead(plan)).toBeLessThanOrEqual(one.batchSize);
    }
  });
});

describe('the logs of an execution', () => {
  it('are replaced by a marker, and everything else is kept', async () => {
    const { body } = await server.call('getCallbackExecution', { params: { id: 3 } });
    expect(body).toMatchObject({ status: 'finished', result: 'success', finished: expect.any(String) });
    expect([body.run_log, body.result_log]).toEqual(['[removed after 30 days]', '[removed after 30 days]']);
    const { body: other } = await server.call('getCallbackExecution', { params: { id: 4 } });
    expect([other.run_log, other.result_log]).toEqual(['[removed after 30 days]', '']);
    const { body: tried } = await server.call('listExecutionAttempts', { params: { id: 3 } });
    expect(tried.attempts).toMatchObject([{ attempt: 1, log: '[removed after 30 days]' }]);
    const { body: younger } = await server.call('listExecutionAttempts', { params: { id: 1500 } });
    expect(younger.attempts[0].log).toBe(long);
  });

  it('are removed if only its attempts have logs', async () => {
    const { body } = await server.call('listExecutionAttempts', { params: { id: 5 } });
    expect(body.attempts).toMatchObject([{ attempt: 1, log: '[removed after 30 days]' }]);
    expect((await server.call('getCallbackExecution', { params: { id: 5 } })).body.run_log).toBe('');
    const { body: withoutOutput } = await server.call('listExecutionAttempts', { params: { id: 6 } });
    expect(withoutOutput.attempts).toMatchObject([{ attempt: 1, log: '' }]);
  });

  it('are skipped without waiting while one of its attempts is locked', async () => {
    await server.sql(`update callback_executions set created = now() - interval '60 days', run_start = null,
      finished = now() - interval '31 days', run_log = 'old', attempt = 1 where id in (3060, 3061)`);
    await withClient(server.testDatabase.ownerUrl, async (other) => {
      await other.query(`begin; select from execution_attempts where execution_id = 3060 for update`);
      expect(await remove()).toEqual({ logs: 1 });
      // The execution is not locked either, so the other transaction can lock it.
      await other.query(`select from callback_executions where id = 3060 for update nowait;
        update callback_executions set run_log = 'older' where id = 3060; commit`);
    });
    expect(await remove()).toEqual({ logs: 1 });
  });

  it('are kept forever if their retention period is 0', async () => {
    await server.sql(`update callback_executions set created = now() - interval '9 years', run_start = null,
      finished = now() - interval '9 years', run_log = 'old' where id = 3050`);
    expect(await removeOutdated(server.database.db, { ...keep, logs: 0 })).toEqual({});
    expect(await remove()).toEqual({ logs: 1 });
  });
});

it('removeOutdated removes nothing while another process removes data', async () => {
  await server.sql(`insert into idempotency_keys (actor_kind, actor_id, key, operation, request_hash, created_at)
      values ('user', 1, 'late', 'x', sha256(''), now() - interval '2 days')`);
  await withClient(server.testDatabase.ownerUrl, async (other) => {
    await other.query(`begin; select pg_advisory_xact_lock(hashtext('retention'))`);
    expect(await remove()).toEqual({});
    await other.query('rollback');
  });
  expect(await remove()).toMatchObject({ idempotency_keys: 1 });
});
