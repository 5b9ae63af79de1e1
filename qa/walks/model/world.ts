/** The state of the model: experiments with their actions, and the expected results of calls. */
import type { Callback, ConditionInput, Values, Workflow } from './workflow.ts';

export type Status = 'created' | 'queued' | 'running' | 'waiting' | 'finished' | 'skipped';
export type Result = 'none' | 'success' | 'failed' | 'timeout';

export interface Execution {
  /** The server's id, once it is known. */
  id: number | undefined;
  experiment: Experiment;
  action: Action;
  /** The callback when the execution was created (rule 15). */
  callback: Callback;
  /** The position of the callback in that definition. */
  position: number;
  status: Status;
  /** The latest reported result. It counts once the status is `finished`. */
  result: Result;
  attempt: number;
  /** Attempts with a temporary failure. */
  failures: number;
  /** A worker runs the latest attempt and has a lease. */
  held: boolean;
  /** The next attempt is due. */
  retryDue: boolean;
  /** The initial delay has not ended. */
  delayed: boolean;
  /** It can time out. */
  limited: boolean;
  values: Values;
  resultLog: string;
  /** Whether there is a job for an attempt. `may`: the job is outdated and is removed when a worker claims it. */
  job: 'yes' | 'no' | 'may';
}

export interface TransitionCheck {
  destination: string;
  condition: string;
  test_result: boolean | null;
}

/** The parsed return_value. */
export type ReturnValue = string | { superseded_by: number } | TransitionCheck[];

export interface Action {
  sequence: number;
  source: string;
  destination: string;
  retryOf: number | null;
  /** Part of a bulk move, so its runs have a lower priority. */
  bulk: boolean;
  ended: boolean;
  success: boolean;
  returnValue: ReturnValue;
  executions: Execution[];
  /** Executions of earlier actions whose results count for this one (rule 12). */
  carried: Execution[];
}

export interface Experiment {
  name: string;
  id: number | undefined;
  state: string;
  variables: Values;
  actions: Action[];
  /** The kinds of open incidents. `unclaimed` is a kind of queues. */
  incidents: Set<string>;
}

export interface World {
  workflow: Workflow;
  experiments: Experiment[];
  /** Counts a rare case. */
  count: (what: string) => unknown;
}

/** The expected result of a call. `shows` is the compared part of the body. */
export interface Expected {
  status: number;
  code?: string;
  shows?: Record<string, unknown>;
}

export const ok = (shows?: Record<string, unknown>): Expected => ({ status: 200, ...(shows && { shows }) });
export const rejected = (status: number, code: string): Expected => ({ status, code });

export const isResolved = ({ status }: Execution): boolean => status === 'finished' || status === 'skipped';
export const isSuccessful = ({ status, result }: Execution): boolean => status === 'skipped' || result === 'success';

export const isUnclaimed = ({ status }: Execution): boolean => status === 'created' || status === 'queued';

export const incidentsOf = ({ incidents }: Experiment): string[] => [...incidents].toSorted();

export function latest({ actions }: Experiment): Action {
  const action = actions.at(-1);
  if (!action) throw new Error('The experiment has no action.');
  return action;
}

export const isLatest = (execution: Execution): boolean => latest(execution.experiment) === execution.action;

/** The executions that count for the latest action: its own and the carried-over ones. */
export const countedExecutions = (experiment: Experiment): Execution[] => {
  const { executions, carried } = latest(experiment);
  return [...executions, ...carried];
};

export const openExecutions = (experiment: Experiment): Execution[] =>
  countedExecutions(experiment).filter((one) => !isResolved(one));

export const allExecutions = ({ experiments }: World): Execution[] =>
  experiments.flatMap(({ actions }) => actions.flatMap(({ executions }) => executions));

/** The values that the condition of a transition reads. */
export const conditionInput = (experiment: Experiment): ConditionInput => ({
  state: experiment.state,
  variables: experiment.variables,
  callbacks: Object.fromEntries(
    countedExecutions(experiment).map(({ callback, status, result, values }) => [
      callback.label,
      { status, result: status === 'finished' ? result : 'none', values },
    ]),
  ),
});
