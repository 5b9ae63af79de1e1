/** Compares the server with the prediction of the model and describes the differences. */
import { isDeepStrictEqual } from 'node:util';
import {
  incidentsOf,
  type Action,
  type Execution,
  type Expected,
  type Experiment,
  type ReturnValue,
  type World,
} from '../model/world.ts';
import type { SeenAction, SeenExecution, SeenExperiment } from './observe.ts';

export interface CallResult {
  status: number;
  code?: string | undefined;
  shows?: Record<string, unknown>;
}

export function compareResults({ status, code, shows }: Expected, result: CallResult): string[] {
  const differences = [
    ...differ('the status', status, result.status),
    ...differ('the code', code, result.code),
    ...Object.entries(shows ?? {}).flatMap(([name, value]) =>
      differ(`${name} in the response`, value, result.shows?.[name]),
    ),
  ];
  return differences;
}

const differ = (what: string, expected: unknown, seen: unknown): string[] =>
  isDeepStrictEqual(expected, seen) ? [] : [`${what} is ${JSON.stringify(seen)}, expected ${JSON.stringify(expected)}`];

/** Both lists are in the order of creation. The model takes over the ids of new rows. */
export function compareWorlds(world: World, seen: readonly SeenExperiment[]): string[] {
  return world.experiments.flatMap((experiment, index) => {
    const found = seen[index];
    if (!found) return [`${experiment.name} does not exist`];
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

function compareActions(action: Action, seen: SeenAction, actions: readonly SeenAction[]): string[] {
  const { sequence, source, destination, retryOf, bulk, ended, success } = action;
  const expected = { sequence, source, destination, retry_of: retryOf, bulk, ended, success };
  const { id: _id, return_value: returnValue, executions, ...found } = seen;
  const sentences = [
    ...differ('the row', expected, found),
    ...differ('return_value', action.returnValue, parseReturnValue(returnValue, actions)),
    ...compareExecutions(action.executions, executions),
  ];
  return sentences.map((sentence) => `action ${sequence}: ${sentence}`);
}

/** Without reasons and ids, which the model does not know. */
function parseReturnValue(text: string, actions: readonly SeenAction[]): ReturnValue {
  if (!/^[[{]/.test(text)) return text;
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) {
    return value.map(({ destination, condition, test_result }) => ({ destination, condition, test_result }));
  }
  const { superseded_by: by } = value as { superseded_by: number };
  return { superseded_by: actions.find(({ id }) => id === by)?.sequence ?? 0 };
}

function compareExecutions(expected: readonly Execution[], seen: readonly SeenExecution[]): string[] {
  const byCallback = new Map(seen.map((one) => [one.callback, one]));
  const extra = seen.filter(({ callback }) => !expected.some((one) => one.callback.label === callback));
  return [
    ...extra.map(({ callback }) => `unexpected execution of ${callback}`),
    ...expected.flatMap((execution) => {
      const { label } = execution.callback;
      const found = byCallback.get(label);
      if (!found) return [`missing execution of ${label}`];
      execution.id ??= found.id;
      return differ(`the execution of ${label}`, predicted(execution), observed(execution, found));
    }),
  ];
}

const predicted = ({ id, callback, status, result, attempt, values, resultLog, job }: Execution) => ({
  id,
  callback: callback.label,
  status,
  result,
  attempt,
  result_values: values,
  result_log: resultLog,
  job,
});

const observed = ({ job }: Execution, seen: SeenExecution) => ({
  ...seen,
  job: job === 'may' ? 'may' : seen.job ? 'yes' : 'no',
});
