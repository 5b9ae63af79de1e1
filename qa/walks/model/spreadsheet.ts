/** Imports of spreadsheets: what one line adds, for each of several. */
import { addAction, addExperiment, enter, placedText } from './move.ts';
import { findState, getState, type Values } from './workflow.ts';
import type { Expected, Experiment, World } from './world.ts';

export interface Line {
  /** Unless it exists, the line creates it. */
  experiment: string;
  /** Of a new experiment. Empty: the initial state. */
  state: string;
  variables: Values;
}

/** POST /imports and /apply, and the workers that check and import the lines. */
export function importLines(world: World, lines: readonly Line[]): Expected {
  const seen = new Set<string>();
  const results = lines.map((line) => {
    const isRepeated = seen.has(line.experiment);
    seen.add(line.experiment);
    if (isRepeated) world.count('an import repeats an experiment');
    return isRepeated ? 'faulty' : importLine(world, line);
  });
  return { status: 201, shows: { status: 'finished', results } };
}

function importLine(world: World, line: Line): string {
  const experiment = world.experiments.find(({ name }) => name === line.experiment);
  return experiment ? addTo(world, experiment, line) : createFrom(world, line);
}

/** It neither moves the experiment nor changes a value. */
function addTo(world: World, { variables }: Experiment, line: Line): string {
  const given = Object.entries(line.variables);
  const missing = given.filter(([name]) => (variables[name] ?? null) === null);
  const isFaulty = given.some(([name, value]) => (variables[name] ?? value) !== value);
  if (isFaulty) world.count('an import would overwrite a variable');
  if (isFaulty || missing.length === 0) return isFaulty ? 'faulty' : 'unchanged';
  for (const [name, value] of missing) variables[name] = value;
  world.count('an import adds a variable');
  return 'done';
}

function createFrom(world: World, { experiment: name, state, variables }: Line): string {
  const { workflow } = world;
  if (state !== '' && !findState(workflow, state)) return 'faulty';
  const experiment = addExperiment(world, name);
  const source = workflow.initial;
  if (state === '') enter(world, experiment, source, getState(workflow, source), true);
  else addAction(world, experiment, { source, destination: state, callbacks: [], returnValue: placedText, bulk: true });
  Object.assign(experiment.variables, variables);
  world.count(`an import creates an experiment in ${state === '' ? 'its initial' : 'another'} state`);
  return 'done';
}
