/**
 * Inserts 50,000 experiments, each with an action, an execution, an event and a history entry. That is enough for a plan that
 * reads a whole table to cost more than one that does not. Most executions have finished and a few are open. The ids are spread
 * evenly over nine cohorts, states and callbacks. The tenth has the last 4 %, like a new cohort or an initial state.
 */

import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Rows } from '../postgres-server.ts';

const tenParts = Array.from({ length: 10 }, (_, part) => part);

/** Several transactions, because event streams of other databases in this cluster wait for the longest one. */
const studyInserts = `
  insert into users (username, username_key, email, email_key) values ('ann', 'ann', 'ann@site.org', 'ann@site.org');
  insert into external_systems (system_name) values ('XNAT');
  insert into scantypes (modality, protocol) values ('MR', 'T1');
  insert into cohorts (label) select 'cohort ' || n from generate_series(1, 10) n;
  insert into subjects (cohort_id, label) select case when n > 24000 then 10 else 1 + n % 9 end, 'subject ' || n from generate_series(1, 25000) n;
  insert into workflows (label) values ('brain');
  insert into states (workflow_id, label, position) select 1, 'state ' || n, n from generate_series(1, 10) n;
  insert into transitions (workflow_id, source_state_id, destination_state_id) select 1, n, n % 10 + 1 from generate_series(1, 10) n;
  begin;
  insert into callbacks (state_id, label) select n, 'check' from generate_series(1, 10) n;
  insert into callback_versions (callback_id, version, workflow_revision, label, function)
    select n, 1, 1, 'check', 'http' from generate_series(1, 10) n;
  commit;
  insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, scandate, action_sequence, resting_sequence, resting_since)
    select s.id, s.cohort_id, 1, case when s.id > 24000 then 10 else 1 + s.id % 9 end, 'visit ' || s.id || '/' || n, timestamp '2020-01-01' + s.id * interval '1 hour', 1,
      case when s.id % 100 = 0 then 1 end, timestamptz '2026-01-01' + s.id * interval '1 minute'
    from subjects s, generate_series(1, 2) n order by s.id, n;
  commit; begin;
  insert into external_subject_links (subject_id, cohort_id, external_system_id, external_id)
    select id, cohort_id, 1, 'XNAT_S' || id from subjects order by id;
  commit; begin;
  insert into external_experiment_links (experiment_id, cohort_id, external_system_id, external_id)
    select id, cohort_id, 1, 'XNAT_E' || id from experiments order by id;
  commit; begin;
  insert into scans (experiment_id, cohort_id, scantype_id) select id, cohort_id, 1 from experiments order by id;
  update subjects set withdrawn_at = '2026-03-01' where id % 1000 = 0;
  insert into erasure_requests (subject_id, requested_by) select n, 1 from generate_series(1, 5000) n;
  commit; begin;
  insert into notes (experiment_id, cohort_id, user_id, text) select id, cohort_id, 1, 'seen' from experiments order by id;
  insert into follow_ups (experiment_id, cohort_id, assignee_id, snoozed_at, snoozed_until, snoozed_by, snooze_note)
    select id, cohort_id, case when id % 500 = 0 then 1 end, now(), now() + (id / 10 % 100 - 98) * interval '1 day', 1, 'later' from experiments where id % 10 = 0 order by id;
  commit; begin;
  insert into actions (experiment_id, sequence, transition_id, start_time, end_time, success, actor_kind)
    select id, 1, 1 + id % 10, now() - interval '1 day', now(), true, 'engine' from experiments order by id;
  commit; begin;
  insert into callback_executions (action_id, callback_id, callback_version, status, result, created, run_start, finished)
    select id, case when id > 48000 then 10 else 1 + id % 9 end, 1, 'finished', 'success', start_time, start_time, end_time from actions order by id;
  commit; begin;
  update callback_executions set status = 'running', result = 'none', finished = null, deadline = case when id % 5000 = 0 then now() else now() + id * interval '1 minute' end
    where id % 100 = 0;
  update callback_executions set next_attempt_at = now() where id % 500 = 0;
  update callback_executions set status = 'queued', result = 'none', run_start = null, finished = null where id % 100 = 1;
  commit; begin;
  insert into execution_attempts (execution_id, attempt, secret_hash, started_at, ended_at)
    select id, 1, decode(repeat('00', 32), 'hex'), created, finished from callback_executions;
  commit; begin;
  insert into incidents (experiment_id, kind, opened_at, closed_at)
    select id, case when id % 1000 in (0, 1) then 'brake' else 'failed' end, now() - interval '1 day', case when id % 100 <> 0 then now() end
    from experiments order by id;
  commit; begin;${tenParts
    .map(
      (part) => `
  insert into history (actor_kind, operation, object_kind, object_id)
    select 'engine', 'setExperimentState', 'experiment', id from experiments where id % 10 = ${part};
  commit; begin;`,
    )
    .join('')}
  commit; begin;
  insert into idempotency_keys (actor_kind, actor_id, key, operation, request_hash, created_at)
    select 'user', 1, 'k' || n, 'createSubject', decode(repeat('00', 32), 'hex'), now() - n * interval '1.9 seconds' - (n > 43000)::int * interval '2 hours' from generate_series(1, 50000) n;
  insert into users (username, username_key, email, email_key)
    select 'u' || n, 'u' || n, n || '@site.org', n || '@site.org' from generate_series(1, 500) n;
  insert into history (actor_kind, operation, object_kind, object_id, after)
    select 'operator', 'createUser', 'user', id, jsonb_build_object('name', username) from users;
  insert into history (actor_kind, actor_id, operation, object_kind, object_id)
    select 'user', 1 + id % 500, 'updateSubject', 'subject', id from subjects where id % 10 = 0;
  commit; begin;
  -- 7,000 expired long ago, and no others do so within two hours, however long the tests take.
  insert into sessions (user_id, token_hash, address, user_agent, created_at, last_used_at, expires_at, ended_at)
    select 2 + n % 500, sha256(n::text::bytea), '', '', at, at, at + interval '12 hours', case when n / 500 % 10 > 0 then at end
    from generate_series(1, 50000) n, lateral (
      select now() - n * interval '2.8 seconds' - (n > 43000)::int * interval '4 hours' as at) as began;
  commit;
`;

const accountInserts = `
  begin;
  insert into password_resets (user_id, asked_at, token_hash, expires_at, sent_at)
    select 2 + n % 500, at, case when n > 20 then sha256(n::text::bytea) end, case when n > 20 then at end, case when n > 20 then at end
    from generate_series(1, 50000) n, lateral (select now() - n * interval '1 second' as at) as asked;
  insert into sign_in_failures (pair_hash, count, since)
    select sha256(n::text::bytea), 1, now() + case when n % 10 = 0 then interval '-1 hour' else interval '1 day' end from generate_series(1, 50000) n;
  insert into begun_sign_ins (secret_hash, return_to, expires_at)
    select sha256(n::text::bytea), '/', now() + (n - 1000) * interval '1 minute' from generate_series(1, 50000) n;
  commit; begin;
  insert into api_tokens (user_id, token_hash, name, permissions, created_at, expires_at, revoked_at)
    select 2 + n % 500, sha256(n::text::bytea), 'x', '{}', at, at + interval '7 days', case when n % 3 = 0 then at + interval '1 day' end
    from generate_series(1, 50000) n, lateral (select now() - n * interval '1 minute' as at) as began;
  commit;
`;

/** Each statement is its own transaction, so the events belong to 50 transactions. */
const events = Array.from(
  { length: 50 },
  (_, batch) => `
  insert into events (kind, object_kind, object_id, cohort_id)
    select 'setExperimentState', 'experiment', n, 1 + n % 10 from generate_series(${batch * 1000 + 1}, ${batch * 1000 + 1000}) n`,
);

/** Without the tables of later migrations, so that the rows also fit the previous schema. */
export async function insertStudyRows(owner: Client): Promise<void> {
  await owner.query(studyInserts);
  for (const insert of events) await owner.query(insert);
}

const triggersOfSearch = (action: 'disable' | 'enable') => `
  alter table experiments ${action} trigger search_written;
  alter table external_subject_links ${action} trigger search_changed;
  alter table external_experiment_links ${action} trigger search_changed;
`;

/** The triggers would write the text of each experiment three times. */
const searchTexts = `
  insert into experiment_search (experiment_id, cohort_id, text)
    select id, cohort_id, experiment_search_text(id) from experiments order by id
`;

export const manyRows: Rows = {
  name: 'many',
  insert: async (owner) => {
    await owner.query(triggersOfSearch('disable'));
    await insertStudyRows(owner);
    await owner.query(searchTexts);
    await owner.query(triggersOfSearch('enable'));
    await owner.query('update callback_executions set failing_since = now() where id % 500 = 0');
    await owner.query(accountInserts);
    // As a worker does every few seconds.
    await owner.query('select fold_cohort_counts(null)');
    await analyzeWhole(owner);
  },
};

/**
 * Analyses every row, so that plans do not depend on a random sample. If another connection has a snapshot at this moment, the rows are not
 * marked as visible to all, and PostgreSQL would not choose to read the index only. So it is repeated until they are.
 */
export async function analyzeWhole(owner: Client, table = ''): Promise<void> {
  await owner.query('set default_statistics_target = 1000');
  for (let isVisible = false; !isVisible;) {
    await owner.query(`vacuum analyze ${table}`);
    const { rows } = await owner.query(notVisible, [table]);
    isVisible = rows.length === 0;
    if (!isVisible) await setTimeout(100);
  }
}

const notVisible = `
  select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and $1::text in ('', relname::text)
    and relpages > 100 and relallvisible < 0.9 * relpages`;
