/** What the model remembers: experiments with their line of actions, and how each answer should look. */
import type { Callback, Sight, Values, Workflow } from './workflow.ts';

export type Status = 'created' | 'queued' | 'running' | 'waiting' | 'finished' | 'skipped';
export type Result = 'none' | 'success' | 'failed' | 'timeout';

export interface Execution {
  /** As the server calls it, once it was seen there. */
  id: number | undefined;
  experiment: Experiment;
  action: Action;
  /** As it was when the execution was made (rule 15). */
  callback: Callback;
  /** Its place in the definition then. */
  position: number;
  status: Status;
  result: Result;
  attempt: number;
  /** Attempts that failed for a passing reason. */
  failures: number;
  /** Somebody runs the latest attempt and has a lease. */
  held: boolean;
  /** The next attempt is due. */
  again: boolean;
  /** The initial delay is not over. */
  delayed: boolean;
  /** It can time out. */
  limited: boolean;
  /** Nobody has started it for 15 minutes. */
  neglected: boolean;
  values: Values;
  resultLog: string;
  /** Whether a job asks for an attempt; `may`: it is of no use any more, and goes when somebody takes it. */
  job: 'yes' | 'no' | 'may';
}

export interface Trial {
  destination: string;
  condition: string;
  test_result: boolean | null;
}

/** What return_value means. */
export type Said = string | { superseded_by: number } | Trial[];

export interface Action {
  sequence: number;
  source: string;
  destination: string;
  retryOf: number | null;
  ended: boolean;
  success: boolean;
  said: Said;
  executions: Execution[];
  /** Of earlier actions, whose outcomes count here (rule 12). */
  carried: Execution[];
}

export interface Experiment {
  name: string;
  id: number | undefined;
  state: string;
  variables: Values;
  actions: Action[];
  /** Kinds of open incidents, but `unclaimed`. */
  incidents: Set<string>;
  /** Of which it was said that nobody starts it. */
  unclaimed: Execution | undefined;
}

export interface World {
  workflow: Workflow;
  experiments: Experiment[];
  /** Counts what a walk has met. */
  met: (what: string) => unknown;
}

/** What a call should answer; `shows` is what is looked at of a body. */
export interface Expected {
  status: number;
  code?: string;
  shows?: Record<string, unknown>;
}

export const ok = (shows?: Record<string, unknown>): Expected => ({ status: 200, ...(shows && { shows }) });
export const refused = (status: number, code: string): Expected => ({ status, code });

export const isResolved = ({ status }: Execution): boolean => status === 'finished' || status === 'skipped';
export const isWell = ({ status, result }: Execution): boolean => status === 'skipped' || result === 'success';

export const isUnclaimed = ({ status }: Execution): boolean => status === 'created' || status === 'queued';

/** What nobody starts needs attention until it is claimed, decided or skipped. */
export const incidentsOf = ({ incidents, unclaimed }: Experiment): string[] =>
  [...incidents, ...(unclaimed && isUnclaimed(unclaimed) ? ['unclaimed'] : [])].toSorted();

export function latest({ actions }: Experiment): Action {
  const action = actions.at(-1);
  if (!action) throw new Error('every experiment has an action');
  return action;
}

export const isLatest = (execution: Execution): boolean => latest(execution.experiment) === execution.action;

/** Of the latest action: its own and those it carries over. */
export const counting = (experiment: Experiment): Execution[] => {
  const { executions, carried } = latest(experiment);
  return [...executions, ...carried];
};

export const openOf = (experiment: Experiment): Execution[] => counting(experiment).filter((one) => !isResolved(one));

export const allExecutions = ({ experiments }: World): Execution[] =>
  experiments.flatMap(({ actions }) => actions.flatMap(({ executions }) => executions));

/** What the condition of a transition sees. */
export const sightOf = (experiment: Experiment): Sight => ({
  state: experiment.state,
  variables: experiment.variables,
  callbacks: Object.fromEntries(
    counting(experiment).map(({ callback, status, result, values }) => [callback.label, { status, result, values }]),
  ),
});
