/**
 * Turns a step into commands. Each is created when the previous one is done. There are none if the world contains no matching
 * execution or experiment.
 */
import type { LineSeed, Step } from '../generate/steps.ts';
import type { Line } from '../model/spreadsheet.ts';
import { getState } from '../model/workflow.ts';
import { openExecutions, type Execution, type Experiment, type World } from '../model/world.ts';
import { chooseExecution, chooseRetriable, chosen, reporterOf } from './choose.ts';
import * as commands from './commands.ts';
import type { Command } from './commands.ts';
import { definitionOf, type Naming } from './definition.ts';
import { changeOfCallback, upgradeBy } from './upgrades.ts';

export function* commandsOf(step: Step, world: World, naming: Naming): Generator<Command> {
  if ('among' in step) {
    const execution = chooseExecution(world, step.among, step.which);
    if (execution) yield* onExecution(step, execution);
  } else if ('who' in step) {
    const experiment = chosen(world.experiments, step.who);
    if (experiment) yield* onExperiment(step, world, experiment);
  } else yield* onWorld(step, world, naming);
}

type OnExecution = Extract<Step, { among: unknown }>;
type OnExperiment = Extract<Step, { who: number }>;
type OnWorld = Exclude<Step, OnExecution | OnExperiment>;

const names = ['e1', 'e2', 'e3'];
const unusedNames = ({ experiments }: World) => names.filter((name) => experiments.every((one) => one.name !== name));

function* creatingNext(world: World): Generator<Command> {
  const [name] = unusedNames(world);
  if (name !== undefined) yield commands.creating(name, world);
}

function* onWorld(step: OnWorld, world: World, naming: Naming): Generator<Command> {
  if (step.do === 'claim') yield commands.claiming;
  if (step.do === 'outage') yield commands.losingDatabase;
  if (step.do === 'create') yield* creatingNext(world);
  if (step.do === 'retry execution') {
    const execution = chooseRetriable(world, step.of, step.which);
    if (execution) yield commands.retrying(execution);
  }
  if (step.do === 'bulk') yield* changingAll(step, world);
  if (step.do === 'import') yield commands.importingLines(linesOf(step.lines, world), world);
  if (step.do === 'upgrade') yield* upgradingOf(step, world, naming);
  if (step.do === 'change callback') {
    const change = changeOfCallback(world.workflow, step, occupied(world));
    if (change) yield commands.changing(change, definitionOf(world.workflow, naming), naming);
  }
}

/** Of at least two experiments. Most states that it names are next states of one. */
function* changingAll({ kind, to, run }: Extract<Step, { do: 'bulk' }>, world: World): Generator<Command> {
  if (world.experiments.length < 2) yield* creatingNext(world);
  const { workflow, experiments } = world;
  const next = experiments.flatMap(({ state }) => getState(workflow, state).transitions);
  const labels = [
    ...next.map(({ destination }) => destination),
    ...workflow.states.map(({ label }) => label),
    'unknown',
  ];
  yield commands.changingAll(experiments, { kind, state: chosen(labels, to) ?? 'unknown', runCallbacks: run });
}

/** Some of them name new experiments, and some repeat one. */
function linesOf(seeds: readonly LineSeed[], world: World): Line[] {
  const { workflow } = world;
  const unused = unusedNames(world);
  const labels = [...workflow.states.map(({ label }) => label), 'unknown'];
  return seeds.map(({ isNew, which, state, variables }) => ({
    experiment: chosen(isNew && unused.length > 0 ? unused : names, which) ?? '',
    state: state === null ? '' : (chosen(labels, state) ?? ''),
    variables,
  }));
}

const occupied = ({ experiments }: World) => experiments.map(({ state }) => state);

/** Open executions of the first experiment can finish before the upgrade. It can be re-evaluated or retried after it. */
function* upgradingOf(
  { change, before, after }: Extract<Step, { do: 'upgrade' }>,
  world: World,
  naming: Naming,
): Generator<Command> {
  const [experiment] = world.experiments;
  if (experiment) yield* reportingOnAll({ by: 'person', reports: before }, experiment);
  const planned = upgradeBy(world.workflow, change, occupied(world));
  if (!planned || !experiment) return;
  yield commands.upgrading(change.is, planned, definitionOf(world.workflow, naming), naming);
  if (after === 'evaluate') yield commands.evaluating(experiment);
  if (after === 'retry') yield commands.retryingAll(experiment);
}

function* onExperiment(step: OnExperiment, world: World, experiment: Experiment): Generator<Command> {
  if (step.do === 'move') yield moveOf(step, world, experiment);
  else if (step.do === 'place') {
    const labels = [...world.workflow.states.map(({ label }) => label), 'unknown'];
    yield commands.placing(experiment, chosen(labels, step.to) ?? '', step.run);
  } else if (step.do === 'variable') yield commands.setting(experiment, step.name, step.value);
  else if (step.do === 'evaluate') yield commands.evaluating(experiment);
  else if (step.do === 'retry experiment') yield commands.retryingAll(experiment);
  else if (step.do === 'keep and move') yield* keepingAndMoving(step, world, experiment);
  else if (step.do === 'finish all') yield* reportingOnAll(step, experiment);
  else yield* retryingTwice(step, world, experiment);
}

function moveOf(step: Extract<Step, { do: 'move' }>, { workflow }: World, experiment: Experiment): Command {
  const labels = workflow.states.map(({ label }) => label);
  const destinations = getState(workflow, experiment.state).transitions.map(({ destination }) => destination);
  const state = chosen({ transition: destinations, any: labels, unknown: [] }[step.where], step.to) ?? 'unknown';
  const others = labels.filter((label) => label !== experiment.state);
  const expected = { none: undefined, right: experiment.state, wrong: chosen(others, step.to) }[step.expected];
  return commands.moving(experiment, { state, expected });
}

/** Reports a result for all open executions. The conditions of the move must not read it yet. */
function* keepingAndMoving(
  { who, to, report }: Extract<Step, { do: 'keep and move' }>,
  world: World,
  experiment: Experiment,
): Generator<Command> {
  yield* reportingOnAll({ by: 'person', reports: [report] }, experiment);
  yield moveOf({ do: 'move', who, where: 'transition', to, expected: 'none' }, world, experiment);
}

type Finishing = Extract<Step, { reports: unknown }>;

/** Reports on all open executions of the latest action. */
function* reportingOnAll(
  { by, reports }: Pick<Finishing, 'by' | 'reports'>,
  experiment: Experiment,
): Generator<Command> {
  for (const [index, execution] of openExecutions(experiment).entries()) {
    const sent = chosen(reports, index);
    if (sent) yield commands.reporting(execution, reporterOf(by, execution), sent);
  }
}

/** Retries one execution, and when that has finished, an execution that was carried over. */
function* retryingTwice(step: Finishing, world: World, experiment: Experiment): Generator<Command> {
  yield* reportingOnAll(step, experiment);
  const first = chooseRetriable(world, 'latest', step.who);
  if (!first) return;
  yield commands.retrying(first);
  yield* reportingOnAll(step, first.experiment);
  const second = chooseRetriable(world, 'carried', step.who);
  if (second) yield commands.retrying(second);
}

function* onExecution(step: OnExecution, execution: Execution): Generator<Command> {
  if (step.do === 'report') yield commands.reporting(execution, reporterOf(step.by, execution), step.report);
  else if (step.do === 'renew') yield commands.renewing(execution, reporterOf(step.by, execution));
  else if (step.do === 'time out') yield commands.timingOut(execution);
  else if (step.do === 'pass delay') yield commands.passingDelay(execution);
  else if (step.do === 'neglect') yield commands.neglecting(execution);
  else if (step.do === 'lose job') yield commands.losingJob(execution);
  else yield* losingRepeatedly(execution, step.after);
}

/** Loses one worker after the other, or moves the experiment before another worker claims the execution. */
function* losingRepeatedly(execution: Execution, after: Extract<Step, { do: 'lose' }>['after']): Generator<Command> {
  yield commands.losing(execution);
  if (after === 'nothing' || !execution.retryDue) return;
  if (after === 'leave') {
    yield commands.placing(execution.experiment, execution.experiment.state, true);
    return;
  }
  yield commands.claiming;
  if (after === 'all' && execution.held) yield* losingRepeatedly(execution, after);
}
