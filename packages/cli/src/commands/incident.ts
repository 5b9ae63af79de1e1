import { defineCommand } from '../run/command.ts';
import { connect } from '../contexts/connect.ts';
import { findExperimentId } from '../contexts/find-object.ts';
import { listRows } from '../contexts/list-rows.ts';
import { listOptions, printRows } from '../output/print.ts';

const list = defineCommand({
  path: 'incident list',
  summary: 'list the problems of experiments and queues',
  options: {
    experiment: { takes: 'EXPERIMENT', about: 'only incidents of this experiment' },
    kind: {
      takes: 'KIND',
      about: 'only this kind',
      choices: ['brake', 'unclaimed', 'failed', 'timed_out', 'no_way_on'],
    },
    state: { takes: 'STATE', about: 'default: open', choices: ['open', 'closed', 'all'] },
    ...listOptions,
  },
  examples: ['milepost incident list', 'milepost incident list --kind failed --state all -o json'],
  run: async ({ values, environment }) => {
    const client = await connect({ values, environment });
    const query = {
      kind: values.kind,
      state: values.state,
      experiment_id: values.experiment === undefined ? undefined : await findExperimentId(client, values.experiment),
    };
    const columns = ['id', 'kind', 'experiment.label', 'queue', 'cause', 'opened_at', 'closed_at'];
    await printRows(listRows(client, 'listIncidents', { query }, values.limit), values, {
      columns,
      plural: 'incidents',
    });
  },
});

export const incidentCommands = [list];
