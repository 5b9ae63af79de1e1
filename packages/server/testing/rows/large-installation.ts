/** Fills the tables that grow with an installation, for erasures at full size. */
import type { Client } from 'pg';

export interface InstallationSize {
  events: number;
  /** Stored responses. One in ten is about a cohort, so that its text must be searched. */
  responses: number;
  /** Transactions that moved many experiments at once, among them all experiments of the subject to erase. */
  massMoves: { count: number; events: number };
}

/** With transaction ids that no transaction had, five events each. Ids of other objects than those of the subject. */
const eventsSql = (count: number) => `
  insert into events (kind, object_kind, object_id, cohort_id, data, xid)
    select 'setExperimentState', 'experiment', 1000000 + n % 100000, 1,
      '{"state": "processed", "state_id": 4, "from_state_id": 3, "transition_id": 6, "action_id": 2041}',
      (1000000000 + n / 5)::text::xid8
    from generate_series(1, ${count}) n`;

const responsesSql = (count: number) => `
  insert into idempotency_keys (actor_kind, actor_id, key, operation, request_hash, status, request_id, location, body)
    select 'user', 1, 'k' || n, 'updateExperiment', decode(repeat('00', 32), 'hex'), 200, 'r' || n,
      case when n % 10 = 0 then '/api/v2/cohorts/1' else '/api/v2/experiments/' || 1000000 + n end,
      '{"uri": "/api/v2/experiments/' || 1000000 + n || '", "label": "visit ' || n || '", "filler": ['
        || repeat('"some text here", ', 30) || '""]}'
    from generate_series(1, ${count}) n`;

const massMoveSql = (events: number) => `
  with entries as (
    insert into history (actor_kind, operation, object_kind, object_id, after)
      select 'engine', 'importWorkflow', 'experiment', experiments.id, '{"state": "x"}' from experiments
      where experiments.label like 'large %'
      returning object_id)
  insert into events (kind, object_kind, object_id, cohort_id, data)
    select 'importWorkflow', 'experiment', coalesce(moved.object_id, 1000000 + n), 1, '{"state": "x"}'
    from generate_series(1, ${events}) n
    left join (select object_id, row_number() over () as place from entries) as moved on moved.place = n`;

/** Without the trigger, which would take minutes. Erasures of other subjects do not read these entries. */
const otherRows = `
  alter table history disable trigger history_chained;
  insert into history (actor_kind, operation, object_kind, object_id, chain, chain_id, sequence, hash, request_id, after, xid)
    select 'engine', 'setExperimentState', 'experiment', 1000000 + n / 20, 'experiment', 1000000 + n / 20, n % 20, '\\x00',
      'r' || n, '{"state": "x"}', (1000000000 + n)::text::xid8
    from generate_series(1, 2000000) n;
  alter table history enable trigger history_chained;
  insert into history_values (history_id, after) select id, '{"x": 1}' from history where chain_id >= 1000000 and id % 4 = 0;
  insert into pgboss.job_common (id, name, data)
    select gen_random_uuid(), 'callbacks', jsonb_build_object('execution_id', 1000000 + n) from generate_series(1, 100000) n`;

export async function insertLargeInstallation(owner: Client, size: InstallationSize): Promise<void> {
  await owner.query(eventsSql(size.events));
  await owner.query(responsesSql(size.responses));
  await owner.query(otherRows);
  for (let n = 0; n < size.massMoves.count; n += 1) await owner.query(massMoveSql(size.massMoves.events));
  await owner.query('vacuum analyze');
}
