/** Reads everything that the model predicts from the database, with one statement. */
import type { Rows } from './lane.ts';

export interface SeenExecution {
  id: number;
  callback: string;
  status: string;
  result: string;
  attempt: number;
  result_values: unknown;
  result_log: string;
  job: boolean;
}

export interface SeenAction {
  id: number;
  sequence: number;
  source: string;
  destination: string;
  retry_of: number | null;
  bulk: boolean;
  ended: boolean;
  success: boolean;
  return_value: string;
  executions: SeenExecution[];
}

export interface SeenExperiment {
  id: number;
  state: string;
  variables: Record<string, unknown>;
  incidents: string[];
  actions: SeenAction[];
}

const executions = `
  select coalesce(json_agg(json_build_object('id', one.id, 'callback', version.label, 'status', one.status,
      'result', one.result, 'attempt', one.attempt, 'result_values', one.result_values, 'result_log', one.result_log,
      'job', exists (select from pgboss.job_common where job_common.name = version.queue
        and job_common.id = lpad(to_hex(one.id), 32, '0')::uuid)) order by one.id), '[]')
  from callback_executions as one
  join callback_versions as version
    on version.callback_id = one.callback_id and version.version = one.callback_version
  where one.action_id = actions.id`;

const actions = `
  select json_agg(json_build_object('id', actions.id, 'sequence', actions.sequence, 'source', source.label,
      'destination', destination.label, 'retry_of', retried.sequence, 'bulk', actions.bulk, 'ended', actions.end_time is not null,
      'success', actions.success, 'return_value', actions.return_value, 'executions', (${executions}))
    order by actions.sequence)
  from actions
  join transitions on transitions.id = actions.transition_id
  join states as source on source.id = transitions.source_state_id
  join states as destination on destination.id = transitions.destination_state_id
  left join actions as retried on retried.id = actions.retry_of
  where actions.experiment_id = experiments.id`;

const everything = `
  select experiments.id::int, states.label as state, (${actions}) as actions,
    (select coalesce(json_object_agg(name, value), '{}') from experiment_variables
      where experiment_id = experiments.id) as variables,
    (select coalesce(json_agg(kind order by kind), '[]') from incidents
      where experiment_id = experiments.id and closed_at is null) as incidents
  from experiments join states on states.id = experiments.state_id
  where experiments.id = any($1::bigint[])
  order by experiments.id`;

export const observe = (rows: Rows, ids: readonly number[]): Promise<SeenExperiment[]> =>
  rows<SeenExperiment>(everything, [ids]);
