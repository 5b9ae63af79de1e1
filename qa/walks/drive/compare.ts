/** Holds what was seen against what the model foretold, in words where they differ. */
import { isDeepStrictEqual } from 'node:util';
import {
  incidentsOf,
  type Action,
  type Execution,
  type Expected,
  type Experiment,
  type Said,
  type World,
} from '../model/world.ts';
import type { SeenAction, SeenExecution, SeenExperiment } from './observe.ts';

export interface Answered {
  status: number;
  code?: string | undefined;
  shows?: Record<string, unknown>;
}

export function compareAnswers({ status, code, shows }: Expected, answered: Answered): string[] {
  const differences = [
    ...differ('the status', status, answered.status),
    ...differ('the code', code, answered.code),
    ...Object.entries(shows ?? {}).flatMap(([name, value]) =>
      differ(`${name} in the answer`, value, answered.shows?.[name]),
    ),
  ];
  return differences;
}

const differ = (what: string, expected: unknown, seen: unknown): string[] =>
  isDeepStrictEqual(expected, seen)
    ? []
    : [`${what} should be ${JSON.stringify(expected)} and is ${JSON.stringify(seen)}`];

/** Both lists are in the order of creation. The model learns the ids of what is new. */
export function compareWorlds(world: World, seen: readonly SeenExperiment[]): string[] {
  return world.experiments.flatMap((experiment, index) => {
    const found = seen[index];
    if (!found) return [`${experiment.name} is not there`];
    return compareExperiments(experiment, found).map((sentence) => `${experiment.name}: ${sentence}`);
  });
}

function compareExperiments(experiment: Experiment, seen: SeenExperiment): string[] {
  const { state, variables, actions } = experiment;
  return [
    ...differ('the state', state, seen.state),
    ...differ('the variables', sorted(variables), sorted(seen.variables)),
    ...differ('the open incidents', incidentsOf(experiment), seen.incidents),
    ...differ('the number of actions', actions.length, seen.actions.length),
    ...actions.flatMap((action, index) => {
      const found = seen.actions[index];
      return found ? compareActions(action, found, seen.actions) : [];
    }),
  ];
}

const sorted = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)));

function compareActions(action: Action, seen: SeenAction, line: readonly SeenAction[]): string[] {
  const { sequence, source, destination, retryOf, ended, success } = action;
  const expected = { sequence, source, destination, retry_of: retryOf, ended, success };
  const { id: _id, return_value: said, executions, ...found } = seen;
  const sentences = [
    ...differ('what it is', expected, found),
    ...differ('return_value', action.said, meaningOf(said, line)),
    ...compareExecutions(action.executions, executions),
  ];
  return sentences.map((sentence) => `action ${sequence}: ${sentence}`);
}

/** Reasons are for people, ids are the server's own. */
function meaningOf(text: string, line: readonly SeenAction[]): Said {
  if (!/^[[{]/.test(text)) return text;
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) {
    return value.map(({ destination, condition, test_result }) => ({ destination, condition, test_result }));
  }
  const { superseded_by: by } = value as { superseded_by: number };
  return { superseded_by: line.find(({ id }) => id === by)?.sequence ?? 0 };
}

function compareExecutions(expected: readonly Execution[], seen: readonly SeenExecution[]): string[] {
  const byCallback = new Map(seen.map((one) => [one.callback, one]));
  const extra = seen.filter(({ callback }) => !expected.some((one) => one.callback.label === callback));
  return [
    ...extra.map(({ callback }) => `there is an execution of ${callback} that should not be`),
    ...expected.flatMap((execution) => {
      const { label } = execution.callback;
      const found = byCallback.get(label);
      if (!found) return [`there is no execution of ${label}`];
      execution.id ??= found.id;
      return differ(`the execution of ${label}`, foretold(execution), told(execution, found));
    }),
  ];
}

const foretold = ({ id, callback, status, result, attempt, values, resultLog, job }: Execution) => ({
  id,
  callback: callback.label,
  status,
  result,
  attempt,
  result_values: values,
  result_log: resultLog,
  job,
});

const told = ({ job }: Execution, seen: SeenExecution) => ({
  ...seen,
  job: job === 'may' ? 'may' : seen.job ? 'yes' : 'no',
});
