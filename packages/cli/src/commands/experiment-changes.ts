/** Changes of the state and the variables of an experiment. */
import { ProblemError, type Client } from '@milepost/api/client';
import { defineCommand, type Environment } from '../run/command.ts';
import { Failure, usage } from '../run/failure.ts';
import { connect } from '../contexts/connect.ts';
import { findExperimentId } from '../contexts/find-object.ts';
import { outputOptions, printOne } from '../output/print.ts';
import { note } from '../output/write-output.ts';

export const experiment = { name: 'experiment', about: 'id or label of the experiment' } as const;
const reason = { takes: 'TEXT', about: 'the reason, which is stored with the action' } as const;
const state = { name: 'state', about: 'label of the state' } as const;
const dryRun = { 'dry-run': { about: 'only say whether it would succeed' } } as const;

interface Chosen {
  args: { experiment: string };
  values: { readonly context?: unknown };
  environment: Environment;
}

/** The client, and the id of the experiment. */
export async function openExperiment({ args, ...chosen }: Chosen): Promise<{ client: Client; id: number }> {
  const client = await connect(chosen);
  return { client, id: await findExperimentId(client, args.experiment) };
}

interface Rejection {
  error?: {
    detail: string;
    transitions?: { destination_state: { label: string }; allowed: boolean; reason?: string }[];
  };
}

/** A rejected move says which states can be reached. */
function explainRejection(error: unknown): unknown {
  if (!(error instanceof ProblemError)) return error;
  const { error: rejection } = (error.body ?? {}) as Rejection;
  if (!rejection?.transitions) return error;
  const allowed = rejection.transitions.filter((one) => one.allowed).map((one) => one.destination_state.label);
  const remedy =
    allowed.length === 0
      ? 'No transition is possible now. See `milepost experiment why`.'
      : `Possible now: ${allowed.join(', ')}.`;
  return new Failure(error.status === 404 ? 'notFound' : 'conflict', rejection.detail, remedy);
}

const move = defineCommand({
  path: 'experiment move',
  summary: 'move an experiment to another state',
  args: [experiment, state],
  options: {
    note: { takes: 'TEXT', about: 'a comment that is stored with the action' },
    from: { takes: 'STATE', about: 'reject the move unless it is in this state' },
    set: { takes: 'NAME=VALUE', repeated: true, about: 'answer of the decision in the current state' },
    ...dryRun,
    ...outputOptions,
  },
  examples: [
    'milepost experiment move MC-0041-baseline processed --dry-run',
    'milepost experiment move MC-0041-baseline processed --note "Checked by hand"',
  ],
  run: async (call) => {
    const { client, id } = await openExperiment(call);
    const { args, values } = call;
    if (values['dry-run']) return checkMove(client, id, args.state);
    const body = {
      state_label: args.state,
      ...(values.note !== undefined && { freetext: values.note }),
      ...(values.from !== undefined && { expected_state: values.from }),
      ...(values.set.length > 0 && { variables: Object.fromEntries(values.set.map(readAssignment)) }),
    };
    try {
      const { state: reached } = await client.setExperimentState({ params: { id }, body });
      await printOne({ id, state: reached }, values, ['id', 'state.label']);
    } catch (error) {
      throw explainRejection(error);
    }
  },
});

async function checkMove(client: Client, id: number, label: string): Promise<void> {
  const { transitions, state: current } = await client.getExperimentTransitions({ params: { id } });
  const found = transitions.filter(({ destination_state }) => destination_state.label === label);
  if (found.some(({ allowed }) => allowed)) return note(`The move from ${current.label} to ${label} is possible.`);
  const [first] = found;
  const why = first ? first.reason : `No transition leads from ${current.label} to ${label}.`;
  throw new Failure('conflict', why || 'The move is not possible.', 'See `milepost experiment why`.');
}

/** JSON where it is JSON, such as 3, true or null. Everything else is text. */
function readAssignment(text: string): [name: string, value: string | number | boolean | null] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw usage(`\`${text}\` is not a valid assignment.`, 'Write NAME=VALUE.');
  return [name, readValue(value) as string | number | boolean | null];
}

export function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const retry = defineCommand({
  path: 'experiment retry',
  summary: 'run the failed callbacks of an experiment again',
  args: [experiment],
  options: { reason, ...outputOptions },
  examples: ['milepost experiment retry MC-0043-baseline --reason "The archive was down"'],
  run: async (call) => {
    const { client, id } = await openExperiment(call);
    const action = await client.retryExperiment({ params: { id }, body: withReason(call.values.reason) });
    await printOne(action, call.values, ['id', 'experiment.label', 'start_time', 'freetext', 'executions.id']);
  },
});

const withReason = (text: string | undefined) => (text === undefined ? {} : { reason: text });

const evaluate = defineCommand({
  path: 'experiment evaluate',
  summary: 'check the conditions of an experiment again',
  args: [experiment],
  options: { reason, ...outputOptions },
  examples: ['milepost experiment evaluate MC-0041-baseline --reason "The variable was corrected"'],
  run: async (call) => {
    const { client, id } = await openExperiment(call);
    const result = await client.evaluateExperiment({ params: { id }, body: withReason(call.values.reason) });
    await printOne(result, call.values, ['moved', 'state.label']);
  },
});

const place = defineCommand({
  path: 'experiment place',
  summary: 'correct the state of an experiment, regardless of the transitions',
  args: [experiment, state],
  options: {
    reason: { ...reason, required: true },
    'run-callbacks': { about: 'also run the callbacks of the state' },
    ...outputOptions,
  },
  examples: ['milepost experiment place MC-0041-baseline arrived --reason "Imported twice by mistake"'],
  run: async (call) => {
    const { client, id } = await openExperiment(call);
    const { args, values } = call;
    const body = { state: args.state, reason: values.reason, ...(values['run-callbacks'] && { run_callbacks: true }) };
    await printOne(await client.placeExperiment({ params: { id }, body }), values, ['id', 'label', 'state.label']);
  },
});

const set = defineCommand({
  path: 'experiment set',
  summary: 'set a variable of an experiment',
  description: 'The value is JSON, such as 3, true or null. Everything else is text.',
  args: [experiment, { name: 'name', about: 'name of the variable' }, { name: 'value', about: 'its value' }],
  options: { reason, ...outputOptions },
  examples: ['milepost experiment set MC-0041-baseline usable true --reason "Checked by hand"'],
  run: async (call) => {
    const { client, id } = await openExperiment(call);
    const { args, values } = call;
    const body = { value: readValue(args.value), ...withReason(values.reason) };
    const changed = await client.setExperimentVariable({ params: { id, name: args.name }, body });
    await printOne(changed, values, ['id', 'label', 'variable_map']);
  },
});

const addNote = defineCommand({
  path: 'experiment note',
  summary: 'add a note to an experiment',
  args: [experiment, { name: 'text', about: 'the note' }],
  options: outputOptions,
  examples: ['milepost experiment note MC-0041-baseline "Repeat the T1"'],
  run: async (call) => {
    const { client, id } = await openExperiment(call);
    const added = await client.addNote({ params: { id }, body: { text: call.args.text } });
    await printOne(added, call.values, ['id', 'text']);
  },
});

export const experimentChanges = [move, retry, evaluate, place, set, addNote];
