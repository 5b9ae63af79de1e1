/** What an attempt is about, with its addresses: for the placeholders of its arguments and for the function that runs it. */
import type { Links } from '../links.ts';
import type { DueExecution } from '../store/attempts.ts';
import type { Run } from './callback-function.ts';

export type RunSource = Omit<Run, 'arguments' | 'signal' | 'log'>;

export interface Attempted {
  execution: DueExecution;
  attempt: number;
  secret: string;
}

export function runSource(
  links: Links,
  { execution, attempt, secret }: Attempted,
  externalSystems: Readonly<Record<string, string>>,
): RunSource {
  const addressed = (collection: string, id: number) => ({
    id,
    apiUri: links.apiUri(collection, id),
    webUri: links.webUri(collection, id),
  });
  return {
    execution: { ...addressed('callback_executions', execution.id), attempt, secret },
    action: addressed('actions', execution.action_id),
    experiment: {
      ...addressed('experiments', execution.experiment_id),
      label: execution.experiment_label,
      externalIds: execution.experiment_external_ids,
      variables: execution.experiment_variables,
    },
    subject: {
      ...addressed('subjects', execution.subject_id),
      label: execution.subject_label,
      externalIds: execution.subject_external_ids,
    },
    cohort: { id: execution.cohort_id, label: execution.cohort_label },
    externalSystems,
    waitsAfterwards: execution.wait_timeout > 0,
  };
}
