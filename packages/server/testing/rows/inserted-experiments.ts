/** Inserts experiments into states of imported workflows, and reads them back. */
import type { TestServer } from '../server.ts';

let next = 0;

export const stateId = async (server: TestServer, workflow: string, label: string) => {
  const [row] = await server.sql<{ id: number }>(
    'select states.id::int from states join workflows on workflows.id = workflow_id where workflows.label = $1 and states.label = $2',
    [workflow, label],
  );
  return row?.id;
};

/** Inserts an experiment that entered the state with its first action, with an execution for each status given. */
export async function insertExperiment(
  server: TestServer,
  workflow: string,
  state: string,
  statuses: readonly string[] = [],
): Promise<number> {
  const [made] = await server.sql<{ id: number }>(
    `with e as (
       insert into experiments
         (subject_id, cohort_id, workflow_id, state_id, label, action_sequence, resting_sequence, resting_since)
       select 1, 1, workflow_id, id, 'e' || $2, 1, rest.sequence, rest.since from states
       -- As the engine marks an experiment for which nothing runs. An import would mark it later.
       left join (select 1 as sequence, now() as since) as rest on $3::text[] <@ '{finished,skipped}'
       where id = $1 returning id, workflow_id, state_id, cohort_id),
     n as (insert into state_count_deltas select state_id, cohort_id, 1 from e),
     a as (
       insert into actions (experiment_id, sequence, transition_id, actor_kind)
       select e.id, 1, t.id, 'engine' from e join transitions t on t.workflow_id = e.workflow_id and t.kind = 'entry'
       returning id, experiment_id),
     x as (
       insert into callback_executions (action_id, callback_id, callback_version, status, result, run_start, wait_start, finished)
       select a.id, c.id, c.current_version, s.status, case when s.status = 'finished' then 'success' else 'none' end,
         case when s.status in ('running', 'waiting', 'finished') then now() + interval '1 s' end,
         case when s.status = 'waiting' then now() + interval '1 s' end,
         case when s.status in ('finished', 'skipped') then now() + interval '1 s' end
       from a cross join unnest($3::text[]) with ordinality s (status, place)
       join (select id, current_version, row_number() over (order by id) as place from callbacks where state_id = $1) c
         on c.place = s.place)
     select experiment_id::int as id from a`,
    [await stateId(server, workflow, state), next++, statuses],
  );
  return made?.id ?? 0;
}

export const actionsOf = (server: TestServer, experiment: number) =>
  server.sql(
    `select sequence::int, kind, source.label as source, destination.label as destination, success, return_value, actor_kind,
       actor_id::int, actions.freetext, end_time is not null as ended,
       (select jsonb_agg(v.label || ' ' || x.status order by x.id) from callback_executions x
        join callback_versions v on v.callback_id = x.callback_id and v.version = x.callback_version
        where x.action_id = actions.id) as executions
     from actions join transitions on transitions.id = transition_id
     join states source on source.id = source_state_id join states destination on destination.id = destination_state_id
     where experiment_id = $1 order by sequence`,
    [experiment],
  );

export const positionOf = async (server: TestServer, experiment: number) => {
  const [row] = await server.sql(
    `select states.label as state, experiments.version::int, action_sequence::int as sequence
     from experiments join states on states.id = state_id where experiments.id = $1`,
    [experiment],
  );
  return row;
};
