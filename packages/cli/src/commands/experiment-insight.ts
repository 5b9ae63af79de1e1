/** `experiment why`, `timeline` and `watch`. */
import { defineCommand } from '../run/command.ts';
import { Failure } from '../run/failure.ts';
import { listRows } from '../contexts/list-rows.ts';
import { visibleLine } from '../output/visible-text.ts';
import { flushOutput, note, writeOutput } from '../output/write-output.ts';
import { listOptions, outputOptions, printOne, printRows } from '../output/print.ts';
import { followEvents, type EventMessage } from './follow-events.ts';
import { experiment, openExperiment } from './experiment-changes.ts';

const why = defineCommand({
  path: 'experiment why',
  summary: 'explain why an experiment is in its state, and which moves are possible',
  args: [experiment],
  options: outputOptions,
  examples: ['milepost experiment why MC-0041-baseline'],
  run: async (call) => {
    const { client, id } = await openExperiment(call);
    const fields = 'id,label,state,entered_at,incidents,executions,transitions,open_executions';
    const found = await client.getExperimentOverview({ params: { id }, fields });
    if ((call.values.output ?? 'table') !== 'table')
      return printOne(found, call.values, ['id', 'label', 'state.label']);
    for (const line of explain(found)) await writeOutput(`${visibleLine(line)}\n`);
    return flushOutput();
  },
});

interface Explained {
  label: string;
  state: { label: string };
  incidents: readonly { kind: string; cause: string | null }[];
  transitions: readonly { destination_state: { label: string }; by: string; allowed: boolean; reason: string }[];
  open_executions: readonly { id: number; callback: string; status: string }[];
}

function explain({ label, state, incidents, transitions, open_executions }: Explained): string[] {
  return [
    `${label} is in ${state.label}.`,
    ...incidents.map(({ kind, cause }) => `Incident: ${[kind, cause].filter(Boolean).join(': ')}`),
    ...open_executions.map(({ id, callback, status }) => `Run ${id} of ${callback} is ${status}.`),
    ...(transitions.length === 0 ? [`${state.label} is a final state.`] : []),
    ...transitions.map(({ destination_state, by, allowed, reason }) =>
      allowed
        ? `${destination_state.label}: possible${by === 'engine' ? ' automatically' : ''}`
        : `${destination_state.label}: ${reason}`,
    ),
  ];
}

const timeline = defineCommand({
  path: 'experiment timeline',
  summary: 'list the actions of an experiment, newest first',
  args: [experiment],
  options: listOptions,
  examples: [
    'milepost experiment timeline MC-0041-baseline',
    'milepost experiment timeline MC-0041-baseline --limit 1 -o json',
  ],
  run: async (call) => {
    const { client, id } = await openExperiment(call);
    const rows = listRows(client, 'getExperimentTimeline', { params: { id } }, call.values.limit);
    const columns = [
      'sequence',
      'start_time',
      'kind',
      'from.label',
      'to.label',
      'actor.name',
      'executions.result',
      'freetext',
    ];
    await printRows(rows, call.values, { columns, plural: 'actions' });
  },
});

const watch = defineCommand({
  path: 'experiment watch',
  summary: 'print each state that an experiment enters',
  description:
    'Ends when the experiment reaches a final state, or the state of --until. Ctrl-C stops watching and changes nothing.',
  args: [experiment],
  options: { until: { takes: 'STATE', about: 'end when the experiment is in this state' } },
  examples: ['milepost experiment watch MC-0041-baseline --until processed'],
  run: async (call) => {
    const { client, id } = await openExperiment(call);
    let last: string | undefined;
    for await (const message of followEvents(client, { experiment_id: id }, note)) {
      const entered = enteredState(message);
      if (last !== undefined && entered === undefined && !mayHaveMoved(message)) continue;
      const found = await client.getExperimentTransitions({ params: { id } });
      // An experiment can leave a state before its event is read.
      const label = entered ?? found.state.label;
      if (label !== last) await writeOutput(`${visibleLine(label)}\n`);
      last = label;
      await flushOutput();
      if (label === call.values.until) return;
      if (label === found.state.label && hasArrived(found, call.values.until)) return;
    }
  },
});

const enteredState = ({ event, data }: EventMessage): string | undefined =>
  event === 'message' && data.object_kind === 'experiment' && typeof data.data['state'] === 'string'
    ? data.data['state']
    : undefined;

/** The start of a stream, or another change of the experiment. After events of its runs, it can be ahead of its own events. */
const mayHaveMoved = ({ event, data }: EventMessage): boolean =>
  event !== 'message' || data.object_kind === 'experiment';

interface Situation {
  state: { label: string };
  transitions: readonly unknown[];
}

function hasArrived({ state, transitions }: Situation, until: string | undefined): boolean {
  if (until === undefined || state.label === until) return until !== undefined || transitions.length === 0;
  if (transitions.length > 0) return false;
  throw new Failure('conflict', `${state.label} is a final state, so the experiment does not reach ${until}.`);
}

export const experimentInsight = [why, timeline, watch];
