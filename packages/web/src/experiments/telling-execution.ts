/** Of the executions of an experiment, the one that tells most about how it fares. */
import { executionOutcome } from '../shown/execution-outcome.ts';
import { incidentOutcome } from '../shown/incident-outcome.ts';
import type { OutcomeName } from '../shown/outcome.tsx';
import type { ExperimentRow } from './experiment-row.ts';

type Execution = ExperimentRow['executions'][number];

export interface Telling {
  outcome: OutcomeName;
  /** Undefined where what blocks is no execution. */
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

const blocking = ({ incidents }: ExperimentRow) => incidents.some(({ kind }) => incidentOutcome(kind) === 'blocked');

export function tellingExecution(row: ExperimentRow): Telling | undefined {
  if (blocking(row)) return { outcome: 'blocked', execution: undefined };
  const all = row.executions.map((execution) => ({ outcome: executionOutcome(execution), execution }));
  return all.toSorted((a, b) => urgency.indexOf(a.outcome) - urgency.indexOf(b.outcome))[0];
}
