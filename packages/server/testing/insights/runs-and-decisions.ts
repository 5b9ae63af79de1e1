/** Makes random walks those of users and callbacks: decisions, failed and retried runs with causes, open incidents, and variables. */
import type { TestServer } from '../server.ts';

/** As `walkedStates`, with a decision and callbacks. */
export const walkedWithRuns = (queue: string): string => `initial: arrived
states:
  - {label: arrived, transitions: [{destination: checked}, {destination: arrived}]}
  - label: checked
    decision: {}
    transitions: [{destination: segmented}, {destination: arrived}, {destination: done}]
  - label: segmented
    callbacks:
      - {label: mask, function: worker, callback_arguments: {queue: ${queue}}}
      - {label: measure, function: worker, callback_arguments: {queue: ${queue}}}
    transitions: [{destination: segmented}, {destination: done}, {destination: checked}]
  - {label: done}
`;

const ofWorkflow = `select actions.id, actions.experiment_id, actions.sequence, actions.start_time, destination_state_id as state_id
  from actions join transitions on transitions.id = transition_id join workflows on workflows.id = workflow_id where workflows.label = $1`;

/** Some moves are those of users, and some actions have ended before the next. */
const endActions = `update actions set version = version + 1,
    end_time = case when one.id % 7 <> 0 then one.start_time + one.id % 50 * interval '1 hour' end,
    actor_kind = case when one.id % 3 = 0 then 'engine' else 'user' end, actor_id = case when one.id % 3 <> 0 then one.id % 3 end
  from (${ofWorkflow}) as one where one.id = actions.id`;

/** One in three runs fails, one in five was retried. Some have no cause. */
const insertRuns = `insert into callback_executions
    (action_id, callback_id, callback_version, status, result, created, run_start, finished, attempt, cause, cause_key)
  select one.id, callbacks.id, 1, case when n % 11 = 0 then 'skipped' else 'finished' end,
    case when n % 11 = 0 then 'none' when n % 3 > 0 then 'success' when n % 2 = 0 then 'failed' else 'timeout' end,
    one.start_time, one.start_time, one.start_time + n % 13 * interval '1 hour', 1 + case when n % 5 = 0 then n % 4 else 0 end,
    case when n % 3 = 0 and n % 4 > 0 then 'Cause ' || n % 8 || ' of run ' || one.id end,
    case when n % 3 = 0 and n % 4 > 0 then 'key' || n % 8 end
  from (${ofWorkflow}) as one join callbacks on callbacks.state_id = one.state_id
  cross join lateral (select one.id * 31 / 7 + callbacks.id as n) as random`;

const openIncidents = `insert into incidents (experiment_id, kind, action_id, execution_id, cause_group)
  select distinct on (one.experiment_id) one.experiment_id, 'failed', one.id, runs.id, callback_id || '-' || coalesce(cause_key, 'none')
  from (${ofWorkflow}) as one join callback_executions as runs on runs.action_id = one.id where result = 'failed' and runs.id % 4 = 0`;

const insertVariables = `insert into experiment_variables (experiment_id, name, value)
  select experiments.id, name, value from experiments join workflows on workflows.id = workflow_id cross join lateral (values
    ('site', to_jsonb('site ' || experiments.id % 5)), ('coil', to_jsonb(experiments.id % 3)), ('serial', to_jsonb(experiments.id))) as one (name, value)
  where workflows.label = $1 and experiments.id % 4 > 0`;

/** There is a second user. */
export async function insertRunsAndDecisions(server: TestServer, workflow: string): Promise<void> {
  await server.addUser('second', ['user']);
  for (const statement of [endActions, insertRuns, openIncidents, insertVariables])
    await server.sql(statement, [workflow]);
}
