/** 2,000 experiments that differ in everything that a query can name, and a plain copy of them for an evaluation in memory. */
import type { Client } from 'pg';
import type { Rows } from '../postgres-server.ts';

const inserts = `
  insert into users (username, username_key, email, email_key) values
    ('ann', 'ann', 'ann@site.org', 'ann@site.org'), ('ben', 'ben', 'ben@site.org', 'ben@site.org');
  insert into external_systems (system_name) values ('XNAT'), ('PACS 2');
  insert into cohorts (label) values ('memory-clinic'), ('trial b'), ('Ageing');
  insert into subjects (cohort_id, label, withdrawn_at)
    select 1 + n % 3, case n % 3 when 0 then 'MC-' when 1 then 'tb_' else 'Age ' end || lpad(n::text, 4, '0'),
      case when n % 17 = 0 then date '2026-01-01' end from generate_series(1, 400) n;
  insert into workflows (label) values ('brain_mri'), ('pet');
  insert into states (workflow_id, label, position, decision)
    select w, label, place, case when label = 'visual_qc' then '{"due": "3d", "show": [], "fields": []}'::json end
    from generate_series(1, 2) w, unnest(array['arrived', 'visual_qc', 'failed', 'done']) with ordinality as s (label, place);
  insert into transitions (workflow_id, kind, source_state_id, destination_state_id, by)
    select a.workflow_id, 'defined', a.id, b.id, case when a.label = 'arrived' then 'engine' else 'person' end
    from states a join states b on b.workflow_id = a.workflow_id and b.position = a.position + 1;
  insert into transitions (workflow_id, kind, source_state_id, destination_state_id) select workflow_id, 'entry', id, id from states;
  insert into transitions (workflow_id, kind, source_state_id, destination_state_id)
    select a.workflow_id, 'correction', a.id, b.id from states a join states b on b.workflow_id = a.workflow_id and b.position > 1 where a.position = 1;
  insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, scandate, action_sequence, resting_sequence, resting_since)
    select s.id, s.cohort_id, 1 + x % 2, 1 + (x % 2) * 4 + x / 2 % 4, s.label || case x % 2 when 0 then '-Baseline' else '-fu%1' end || n,
      case when x % 5 > 0 then timestamp '2024-11-20' + x % 700 * interval '1 day' + x % 24 * interval '1 hour' end,
      1 + x % 3, case when x % 4 < 2 then 1 + x % 3 end, now() - x % 9 * interval '23 hours'
    from subjects s, generate_series(1, 5) n, lateral (select s.id * 7 + n * 3 as x) as numbers order by s.id, n;
  insert into actions (experiment_id, sequence, transition_id, start_time, end_time, actor_kind, actor_id)
    select e.id, n, case when moves then coalesce(into_state.id, t.id) else t.id end, at.start,
      case when e.id % 5 = 0 then now() else at.start + interval '1 minute' end, case when by_user then 'user' else 'engine' end,
      case when by_user then (select id from users where username = 'ann') end
    from experiments e join transitions t on t.source_state_id = e.state_id and t.kind = 'entry'
    left join transitions into_state on into_state.destination_state_id = e.state_id and into_state.kind = 'defined', generate_series(1, 3) n,
      lateral (select now() - (e.id * 11 % 60) * interval '13 hours' - (4 - n) * interval '90 minutes' - interval '31 minutes' as start) as at,
      lateral (select n > 1 and e.id % 3 > 0 and e.id % 4 < 3 as moves, n > 1 and e.id % 3 > 0 and e.id % 2 = 0 as by_user) as how
    where n <= e.action_sequence order by e.id * 7919 % 2003, e.id, n;
  update actions set retry_of = before.id, version = actions.version + 1 from actions before
    where before.experiment_id = actions.experiment_id and before.sequence = 1 and actions.sequence = 2 and actions.experiment_id % 3 = 0;
  update actions set transition_id = t.id from experiments join transitions t
      on t.destination_state_id = experiments.state_id and t.kind = 'correction'
    where experiments.id = actions.experiment_id and actions.sequence = 1 and experiments.id % 7 = 0;
  insert into external_experiment_links (experiment_id, cohort_id, external_system_id, external_id)
    select id, cohort_id, 1, 'XNAT_E' || lpad((id * 13 % 4001)::text, 5, '0') from experiments where id % 4 > 0;
  insert into external_subject_links (subject_id, cohort_id, external_system_id, external_id)
    select id, cohort_id, 2, 'p\\' || id || '_Ä' from subjects where id % 3 > 0;
  insert into experiment_variables (experiment_id, name, value)
    select id, 'age', to_jsonb(40 + id % 50) from experiments where id % 3 > 0
    union all select id, 'scanner', to_jsonb((array['Prisma', 'Skyra', 'prisma fit'])[1 + id % 3]) from experiments where id % 5 > 0
    union all select id, 'my var', to_jsonb(id % 2 = 0) from experiments where id % 7 > 0;
  insert into incidents (experiment_id, kind, closed_at)
    select id, (array['failed', 'timed_out', 'no_way_on', 'brake'])[1 + id % 4], case when id % 18 = 0 then now() + interval '1 h' end from experiments where id % 6 = 0;
  insert into callbacks (state_id, label) values (1, 'check'), (1, 'mail');
  insert into callback_versions (callback_id, version, workflow_revision, label, function) values (1, 1, 1, 'check', 'http'), (2, 1, 1, 'mail', 'http');
  insert into callback_executions (action_id, callback_id, callback_version, status, created, run_start, wait_start)
    select actions.id, c, 1, open.status, now(), case open.status when 'running' then now() end, case open.status when 'waiting' then now() end
    from actions, generate_series(1, 2) c,
      lateral (select (array['created', 'queued', 'running', 'waiting'])[1 + (actions.id + c) % 4] as status) as open where actions.id % 9 < 3 and (c = 1 or actions.id % 2 = 0);
  insert into callback_executions
      (action_id, callback_id, callback_version, status, result, created, run_start, finished, attempt, failures, cause, cause_key)
    select id, 1 + id % 2, 1, 'finished', (array['success', 'failed', 'timeout'])[1 + id % 3], start_time, start_time, start_time + interval '1 minute',
      1 + id % 2, 1, case when id % 4 > 0 then 'no space' end, case id % 4 when 1 then 'a1' when 2 then 'b2' end
    from actions where id % 9 > 5;
  insert into follow_ups (experiment_id, cohort_id, assignee_id)
    select id, cohort_id, case id % 5 when 0 then null when 1 then (select id from users where username = 'ann')
      else (select id from users where username = 'ben') end from experiments where id % 8 < 3;
  insert into state_counts select state_id, cohort_id, count(*) from experiments group by state_id, cohort_id;
  analyze;
`;

export const searchedStudy: Rows = { name: 'searched', insert: (owner: Client) => owner.query(inserts) };

export interface PlainExperiment {
  id: number;
  label: string;
  subject: string;
  cohort: string;
  workflow: string;
  state: string;
  state_order: number;
  scandate: string | null;
  changed: string;
  changed_order: number;
  entered: number;
  entered_order: number;
  external: { system: string; id: string }[];
  variables: Record<string, unknown>;
  incidents: string[];
  /** The statuses of the open runs of its latest action. */
  runs: string[];
  /** Days for a decision, if it rests in a state with one. */
  waiting_hours: number | null;
  /** Its moves, and its creation as the first one. */
  moves: PlainMove[];
  /** Its finished runs. */
  ended: PlainRun[];
  withdrawn: boolean;
  assignee: string | null;
}

export interface PlainMove {
  at: string;
  isFirst: boolean;
  left: string;
  entered: string;
  /** By a user, with a transition of the workflow, after the callbacks. */
  isDecision: boolean;
}

export interface PlainRun {
  at: string;
  callback: string;
  cause: string;
  result: string;
  attempt: number;
}

const utc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS')`;

/** Each fact by its own plain subquery. */
export const plainExperiments = `
  select e.id::int, e.label, s.label as subject, c.label as cohort, w.label as workflow, st.label as state,
    dense_rank() over (order by st.workflow_id, st.position)::int as state_order,
    to_char(e.scandate, 'YYYY-MM-DD"T"HH24:MI:SS') as scandate,
    (select to_char(start_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS') from actions where experiment_id = e.id order by sequence desc limit 1) as changed,
    (select id from actions where experiment_id = e.id order by sequence desc limit 1)::int as changed_order,
    (select extract(epoch from start_time) * 1000 from actions where experiment_id = e.id and retry_of is null order by sequence desc limit 1)::float8 as entered,
    (select id from actions where experiment_id = e.id and retry_of is null order by sequence desc limit 1)::int as entered_order,
    (select coalesce(json_agg(json_build_object('system', system_name, 'id', external_id)), '[]') from (
      select external_system_id, external_id from external_experiment_links where experiment_id = e.id
      union all select external_system_id, external_id from external_subject_links where subject_id = e.subject_id) as links
      join external_systems on external_systems.id = external_system_id) as external,
    (select coalesce(json_object_agg(name, value), '{}') from experiment_variables where experiment_id = e.id) as variables,
    array(select kind from incidents where experiment_id = e.id and closed_at is null) as incidents,
    array(select status from callback_executions where action_id = (
      select id from actions where experiment_id = e.id order by sequence desc limit 1)) as runs,
    case when e.resting_sequence = e.action_sequence and st.label in ('visual_qc', 'failed') then
      case when st.label = 'visual_qc' then extract(epoch from now() - e.resting_since) / 3600 else 0 end end::float8 as waiting_hours,
    (select coalesce(json_agg(json_build_object('at', ${utc('a.start_time')}, 'isFirst', a.sequence = 1,
        'left', source.label, 'entered', destination.label, 'isDecision', a.actor_kind = 'user' and t.kind = 'defined' and a.start_time >= (
          select end_time from actions before where before.experiment_id = e.id and before.sequence < a.sequence order by sequence desc limit 1))), '[]')
      from actions a join transitions t on t.id = a.transition_id join states source on source.id = t.source_state_id
      join states destination on destination.id = t.destination_state_id where a.experiment_id = e.id and a.retry_of is null) as moves,
    (select coalesce(json_agg(json_build_object('at', ${utc('x.finished')}, 'callback', b.label, 'result', x.result, 'attempt', x.attempt,
        'cause', b.id || '-' || coalesce(x.cause_key, 'none'))), '[]')
      from actions a join callback_executions x on x.action_id = a.id join callbacks b on b.id = x.callback_id
      where a.experiment_id = e.id and x.status = 'finished') as ended,
    s.withdrawn_at is not null as withdrawn,
    (select username from users join follow_ups on assignee_id = users.id where experiment_id = e.id) as assignee
  from experiments e join subjects s on s.id = e.subject_id join cohorts c on c.id = e.cohort_id
    join workflows w on w.id = e.workflow_id join states st on st.id = e.state_id order by e.id`;
