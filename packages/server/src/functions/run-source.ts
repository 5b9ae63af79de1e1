/** The data of an attempt, with URIs, for placeholders and for the function that runs it. */
import type { Links } from '../links.ts';
import type { DueExecution } from '../store/runs/attempt-starts.ts';
import type { Run } from './callback-function.ts';

export type RunSource = Omit<Run, 'arguments' | 'signal' | 'log' | 'trace'>;

export interface AttemptInfo {
  execution: DueExecution;
  attempt: number;
  secret: string;
  /** The URL of each external system by name. */
  externalSystems: Readonly<Record<string, string>>;
}

export function runSource(links: Links, { execution, attempt, secret, externalSystems }: AttemptInfo): RunSource {
  const withUris = (collection: string, id: number) => ({
    id,
    apiUri: links.apiUri(collection, id),
    webUri: links.webUri(collection, id),
  });
  return {
    execution: {
      ...withUris('callback_executions', execution.id),
      attempt,
      secret,
      created: execution.created,
      runningSeconds: execution.running_seconds,
    },
    action: withUris('actions', execution.action_id),
    experiment: {
      ...withUris('experiments', execution.experiment_id),
      label: execution.experiment_label,
      externalIds: execution.experiment_external_ids,
      variables: execution.experiment_variables,
    },
    subject: {
      ...withUris('subjects', execution.subject_id),
      label: execution.subject_label,
      externalIds: execution.subject_external_ids,
    },
    cohort: { id: execution.cohort_id, label: execution.cohort_label },
    externalSystems,
    waitsForReport: execution.wait_timeout > 0,
  };
}
