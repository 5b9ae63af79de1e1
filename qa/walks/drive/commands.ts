/** Commands: what the model makes of one, what is asked of the server, and how it is told. */
import * as attempts from '../model/attempts.ts';
import * as endings from '../model/end-action.ts';
import * as moves from '../model/move.ts';
import * as reports from '../model/report.ts';
import * as retries from '../model/retry.ts';
import * as upgrades from '../model/upgrade.ts';
import type { Json } from '../model/workflow.ts';
import { ok, type Execution, type Expected, type Experiment, type World } from '../model/world.ts';
import type { Calls } from './calls.ts';
import type { Answered } from './compare.ts';
import { definitionOf, inLines, settingsOf, type Naming } from './definition.ts';
import type { CallbackChange } from './upgrades.ts';

export interface Command {
  text: string;
  /** Where it is a report. */
  reports?: { execution: Execution; by: reports.Reporter; sent: reports.Report };
  foretell: (world: World) => Expected;
  perform: (calls: Calls) => Promise<Answered>;
}

const idOf = ({ id }: Execution | Experiment) => id ?? 0;
const nameOf = ({ experiment, action, callback }: Execution) =>
  `${callback.label} in action ${action.sequence} of ${experiment.name}`;
const nameOfReporter = (by: reports.Reporter) => (typeof by === 'string' ? `a ${by}` : `attempt ${by.attempt}`);

export const importing = (text: string): Command => ({
  text: `import ${inLines(text)}`,
  foretell: () => ({ status: 201, shows: { outcome: 'new' } }),
  perform: (calls) => calls.importWorkflow(text, {}),
});

export function upgrading(what: string, planned: upgrades.Upgrade, before: string, naming: Naming): Command {
  const text = definitionOf(planned.workflow, naming);
  const identical = text === before;
  return {
    text: `upgrade: ${what}, with the state_map ${JSON.stringify(planned.stateMap)}: ${inLines(text)}`,
    foretell: (world) => upgrades.upgrade(world, { ...planned, identical }),
    perform: (calls) => calls.importWorkflow(text, planned.stateMap),
  };
}

/** PUT /callbacks/{id}. */
export function changing({ state, callback, workflow }: CallbackChange, before: string, naming: Naming): Command {
  const settings = settingsOf(callback);
  const identical = definitionOf(workflow, naming) === before;
  return {
    text: `change the callback ${callback.label} of ${state}: ${JSON.stringify(settings)}`,
    foretell: (world) => {
      upgrades.upgrade(world, { workflow, stateMap: {}, identical });
      world.met('a callback is changed in place');
      return ok({ changed: !identical });
    },
    perform: (calls) => calls.changeCallback(state, callback.label, settings),
  };
}

export const creating = (name: string, world: World): Command => ({
  text: `create ${name}`,
  foretell: () => moves.create(world, name),
  perform: async (calls) => {
    const answered = await calls.create();
    Object.assign(world.experiments.at(-1) ?? {}, { id: answered.shows?.['id'] });
    return answered;
  },
});

export const moving = (experiment: Experiment, wanted: moves.MoveRequest): Command => ({
  text: `move ${experiment.name} to ${wanted.state}${wanted.expected === undefined ? '' : `, expected in ${wanted.expected}`}`,
  foretell: (world) => moves.move(world, experiment, wanted),
  perform: (calls) => calls.move(idOf(experiment), wanted),
});

export const placing = (experiment: Experiment, state: string, run: boolean): Command => ({
  text: `place ${experiment.name} in ${state}${run ? ' with its callbacks' : ''}`,
  foretell: (world) => moves.place(world, experiment, state, run),
  perform: (calls) => calls.place(idOf(experiment), state, run),
});

export const setting = (experiment: Experiment, name: string, value: Json): Command => ({
  text: `set ${name} of ${experiment.name} to ${JSON.stringify(value)}`,
  foretell: () => {
    experiment.variables[name] = value;
    return ok();
  },
  perform: (calls) => calls.setVariable(idOf(experiment), name, value),
});

export const evaluating = (experiment: Experiment): Command => ({
  text: `evaluate ${experiment.name}`,
  foretell: (world) => endings.evaluate(world, experiment),
  perform: (calls) => calls.evaluate(idOf(experiment)),
});

export const retryingAll = (experiment: Experiment): Command => ({
  text: `retry ${experiment.name}`,
  foretell: (world) => retries.retryExperiment(world, experiment),
  perform: (calls) => calls.retryExperiment(idOf(experiment)),
});

export const retrying = (execution: Execution): Command => ({
  text: `retry ${nameOf(execution)}`,
  foretell: (world) => retries.retryExecution(world, execution),
  perform: (calls) => calls.retryExecution(idOf(execution)),
});

export const reporting = (execution: Execution, by: reports.Reporter, sent: reports.Report): Command => ({
  reports: { execution, by, sent },
  text: `${nameOfReporter(by)} reports on ${nameOf(execution)}: ${JSON.stringify(sent)}`,
  foretell: (world) => reports.report(world, execution, by, sent),
  perform: (calls) => calls.report(idOf(execution), by, sent),
});

export const claiming: Command = {
  text: 'a worker claims everything',
  foretell: attempts.claim,
  perform: (calls) => calls.claim(),
};

export const renewing = (execution: Execution, by: reports.Reporter): Command => ({
  text: `renew the claim of ${nameOf(execution)} by ${nameOfReporter(by)}`,
  foretell: (world) => attempts.renew(world, execution, by),
  perform: (calls) => calls.renew(idOf(execution), by, execution.attempt),
});

export const losing = (execution: Execution): Command => ({
  text: `the worker of ${nameOf(execution)} falls silent`,
  foretell: (world) => attempts.loseLease(world, execution),
  perform: (calls) => calls.loseLease(idOf(execution)),
});

export const timingOut = (execution: Execution): Command => ({
  text: `the time of ${nameOf(execution)} is over`,
  foretell: (world) => attempts.timeOut(world, execution),
  perform: (calls) => calls.timeOut(idOf(execution)),
});

export const passingDelay = (execution: Execution): Command => ({
  text: `the delay of ${nameOf(execution)} is over`,
  foretell: () => attempts.passDelay(execution),
  perform: (calls) => calls.passDelay(idOf(execution)),
});

export const neglecting = (execution: Execution): Command => ({
  text: `nobody starts ${nameOf(execution)} for 15 minutes`,
  foretell: (world) => attempts.neglect(world, execution),
  perform: (calls) => calls.neglect(idOf(execution)),
});

export const losingJob = (execution: Execution): Command => ({
  text: `the job of ${nameOf(execution)} is lost`,
  foretell: attempts.loseJob,
  perform: (calls) => calls.loseJob(idOf(execution)),
});
