import { defineCommand } from '../run/command.ts';
import { connect } from '../contexts/connect.ts';
import { findCohortId, findExperimentId, findWorkflowId, wholeNumber } from '../contexts/find-object.ts';
import { visibleLine } from '../output/visible-text.ts';
import { flushOutput, note, writeOutput } from '../output/write-output.ts';
import { followEvents, type EventMessage } from './follow-events.ts';

const events = defineCommand({
  path: 'events',
  summary: 'follow the events of the server',
  description: 'Prints a line for each event until Ctrl-C. After a cut connection it continues without gaps.',
  options: {
    follow: { short: 'f', about: 'follow events (always on)' },
    experiment: { takes: 'EXPERIMENT', about: 'only events about this experiment' },
    cohort: { takes: 'COHORT', about: 'only events in this cohort' },
    workflow: { takes: 'WORKFLOW', about: 'only events about this workflow and its experiments' },
    kind: { takes: 'KIND', about: 'only events of this kind, such as setExperimentState' },
    count: { takes: 'N', about: 'end after this many events' },
    output: { short: 'o', takes: 'FORMAT', choices: ['table', 'json'], about: 'json prints one JSON object per line' },
  },
  examples: [
    'milepost events -f --cohort memory-clinic',
    'milepost events -f -o json --kind setExperimentState --count 1',
  ],
  run: async ({ values, environment }) => {
    let left = values.count === undefined ? Infinity : wholeNumber(values.count, '--count');
    const client = await connect({ values, environment });
    const query = {
      ...(values.kind !== undefined && { kind: values.kind }),
      ...(values.experiment !== undefined && { experiment_id: await findExperimentId(client, values.experiment) }),
      ...(values.cohort !== undefined && { cohort_id: await findCohortId(client, values.cohort) }),
      ...(values.workflow !== undefined && { workflow_id: await findWorkflowId(client, values.workflow) }),
    };
    for await (const message of followEvents(client, query, note)) {
      if (message.event === 'ready') note('Following events. Ctrl-C to stop.');
      if (message.event === 'reset') note('Some events are no longer available. Read your data again.');
      if (message.event !== 'message') continue;
      await writeOutput(values.output === 'json' ? `${JSON.stringify(message.data)}\n` : lineOf(message));
      await flushOutput();
      left -= 1;
      if (left <= 0) return;
    }
  },
});

function lineOf({ data }: EventMessage): string {
  const { at, kind, object_kind, object_id, experiment_id, data: details } = data;
  const about = experiment_id === null || object_kind === 'experiment' ? '' : `  experiment ${experiment_id}`;
  const state = typeof details['state'] === 'string' ? `  ${details['state']}` : '';
  return `${visibleLine(`${at}  ${kind}  ${object_kind} ${object_id}${about}${state}`)}\n`;
}

export const eventsCommands = [events];
