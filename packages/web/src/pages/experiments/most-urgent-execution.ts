/** The execution of an experiment that needs attention most. */
import { executionOutcome } from '../../status/execution-outcome.ts';
import { incidentOutcome } from '../../status/incident-outcome.ts';
import type { OutcomeName } from '../../status/outcome.tsx';
import type { ExperimentRow } from './experiment-rows.ts';

type Execution = ExperimentRow['executions'][number];

export interface MostUrgent {
  outcome: OutcomeName;
  /** Undefined if the experiment is blocked. */
  execution: Execution | undefined;
}

const urgency: readonly OutcomeName[] = [
  'failed',
  'timed_out',
  'retrying',
  'running',
  'waiting',
  'queued',
  'delayed',
  'success',
  'none',
  'skipped',
];

const isBlocked = ({ incidents }: ExperimentRow) => incidents.some(({ kind }) => incidentOutcome(kind) === 'blocked');

export function mostUrgentExecution(row: ExperimentRow): MostUrgent | undefined {
  if (isBlocked(row)) return { outcome: 'blocked', execution: undefined };
  const all = row.executions.map((execution) => ({ outcome: executionOutcome(execution), execution }));
  return all.toSorted((a, b) => urgency.indexOf(a.outcome) - urgency.indexOf(b.outcome))[0];
}
