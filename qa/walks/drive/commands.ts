/** Commands: the prediction of the model, the call of the server, and a text. */
import * as bulk from '../model/bulk.ts';
import * as attempts from '../model/attempts.ts';
import * as endings from '../model/end-action.ts';
import * as moves from '../model/move.ts';
import * as reports from '../model/report.ts';
import * as retries from '../model/retry.ts';
import * as spreadsheets from '../model/spreadsheet.ts';
import * as upgrades from '../model/upgrade.ts';
import type { Json } from '../model/workflow.ts';
import { ok, type Execution, type Expected, type Experiment, type World } from '../model/world.ts';
import type { Calls } from './calls.ts';
import type { CallResult } from './compare.ts';
import { definitionOf, inLines, settingsOf, type Naming } from './definition.ts';
import type { CallbackChange } from './upgrades.ts';

export interface Command {
  text: string;
  /** Set for reports. */
  reports?: { execution: Execution; by: reports.Reporter; sent: reports.Report };
  predict: (world: World) => Expected;
  perform: (calls: Calls) => Promise<CallResult>;
}

const idOf = ({ id }: Execution | Experiment) => id ?? 0;
const nameOf = ({ experiment, action, callback }: Execution) =>
  `${callback.label} in action ${action.sequence} of ${experiment.name}`;
const nameOfReporter = (by: reports.Reporter) => (typeof by === 'string' ? `a ${by}` : `attempt ${by.attempt}`);

export const importing = (text: string): Command => ({
  text: `import ${inLines(text)}`,
  predict: () => ({ status: 201, shows: { outcome: 'new' } }),
  perform: (calls) => calls.importWorkflow(text, {}),
});

export function upgrading(what: string, planned: upgrades.Upgrade, before: string, naming: Naming): Command {
  const text = definitionOf(planned.workflow, naming);
  const identical = text === before;
  return {
    text: `upgrade: ${what}, state_map ${JSON.stringify(planned.stateMap)}: ${inLines(text)}`,
    predict: (world) => upgrades.upgrade(world, { ...planned, identical }),
    perform: (calls) => calls.importWorkflow(text, planned.stateMap),
  };
}

/** PUT /callbacks/{id}. */
export function changing({ state, callback, workflow }: CallbackChange, before: string, naming: Naming): Command {
  const settings = settingsOf(callback);
  const identical = definitionOf(workflow, naming) === before;
  return {
    text: `change the callback ${callback.label} of ${state}: ${JSON.stringify(settings)}`,
    predict: (world) => {
      upgrades.upgrade(world, { workflow, stateMap: {}, identical });
      world.count('a callback is changed in place');
      return ok({ changed: !identical });
    },
    perform: (calls) => calls.changeCallback(state, callback.label, settings),
  };
}

export const creating = (name: string, world: World): Command => ({
  text: `create ${name}`,
  predict: () => moves.create(world, name),
  perform: async (calls) => {
    const result = await calls.create(name);
    Object.assign(world.experiments.at(-1) ?? {}, { id: result.shows?.['id'] });
    return result;
  },
});

export const moving = (experiment: Experiment, wanted: moves.MoveRequest): Command => ({
  text: `move ${experiment.name} to ${wanted.state}${wanted.expected === undefined ? '' : `, expected_state ${wanted.expected}`}`,
  predict: (world) => moves.move(world, experiment, wanted),
  perform: (calls) => calls.move(idOf(experiment), wanted),
});

export const placing = (experiment: Experiment, state: string, run: boolean): Command => ({
  text: `correct the state of ${experiment.name} to ${state}${run ? ' with callbacks' : ''}`,
  predict: (world) => moves.place(world, experiment, state, run),
  perform: (calls) => calls.place(idOf(experiment), state, run),
});

export const setting = (experiment: Experiment, name: string, value: Json): Command => ({
  text: `set ${name} of ${experiment.name} to ${JSON.stringify(value)}`,
  predict: () => {
    experiment.variables[name] = value;
    return ok();
  },
  perform: (calls) => calls.setVariable(idOf(experiment), name, value),
});

export const evaluating = (experiment: Experiment): Command => ({
  text: `re-evaluate ${experiment.name}`,
  predict: (world) => endings.evaluate(world, experiment),
  perform: (calls) => calls.evaluate(idOf(experiment)),
});

export const changingAll = (experiments: readonly Experiment[], request: bulk.BulkRequest): Command => ({
  text: `${request.kind} all ${experiments.length} experiments in bulk, ${request.state}${request.runCallbacks ? ' with callbacks' : ''}`,
  predict: (world) => bulk.changeAll(world, experiments, request),
  perform: (calls) => calls.changeAll(experiments.map(idOf), request),
});

export const importingLines = (lines: readonly spreadsheets.Line[], { experiments }: World): Command => ({
  text: `import a spreadsheet: ${lines.map((line) => JSON.stringify(line)).join(', ')}`,
  predict: (world) => spreadsheets.importLines(world, lines),
  perform: async (calls) => {
    const { ids, ...result } = await calls.importLines(lines);
    for (const experiment of experiments) experiment.id ??= ids[experiment.name];
    return result;
  },
});

export const retryingAll = (experiment: Experiment): Command => ({
  text: `retry ${experiment.name}`,
  predict: (world) => retries.retryExperiment(world, experiment),
  perform: (calls) => calls.retryExperiment(idOf(experiment)),
});

export const retrying = (execution: Execution): Command => ({
  text: `retry ${nameOf(execution)}`,
  predict: (world) => retries.retryExecution(world, execution),
  perform: (calls) => calls.retryExecution(idOf(execution)),
});

export const reporting = (execution: Execution, by: reports.Reporter, sent: reports.Report): Command => ({
  reports: { execution, by, sent },
  text: `${nameOfReporter(by)} reports on ${nameOf(execution)}: ${JSON.stringify(sent)}`,
  predict: (world) => reports.report(world, execution, by, sent),
  perform: (calls) => calls.report(idOf(execution), by, sent),
});

export const claiming: Command = {
  text: 'a worker claims all executions',
  predict: attempts.claim,
  perform: (calls) => calls.claim(),
};

export const renewing = (execution: Execution, by: reports.Reporter): Command => ({
  text: `${nameOfReporter(by)} renews the claim of ${nameOf(execution)}`,
  predict: (world) => attempts.renew(world, execution, by),
  perform: (calls) => calls.renew(idOf(execution), by, execution.attempt),
});

export const losing = (execution: Execution): Command => ({
  text: `the lease of ${nameOf(execution)} expires`,
  predict: (world) => attempts.loseLease(world, execution),
  perform: (calls) => calls.loseLease(idOf(execution)),
});

export const losingDatabase: Command = {
  text: 'the database is away for a minute',
  predict: attempts.outage,
  perform: (calls) => calls.outage(),
};

export const timingOut = (execution: Execution): Command => ({
  text: `${nameOf(execution)} times out`,
  predict: (world) => attempts.timeOut(world, execution),
  perform: (calls) => calls.timeOut(idOf(execution)),
});

export const passingDelay = (execution: Execution): Command => ({
  text: `the delay of ${nameOf(execution)} ends`,
  predict: () => attempts.passDelay(execution),
  perform: (calls) => calls.passDelay(idOf(execution)),
});

export const neglecting = (execution: Execution): Command => ({
  text: `${nameOf(execution)} is unclaimed for 15 minutes`,
  predict: attempts.neglect,
  perform: (calls) => calls.neglect(idOf(execution)),
});

export const losingJob = (execution: Execution): Command => ({
  text: `the job of ${nameOf(execution)} is lost`,
  predict: attempts.loseJob,
  perform: (calls) => calls.loseJob(idOf(execution)),
});
