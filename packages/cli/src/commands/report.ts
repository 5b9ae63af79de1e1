import { defineCommand } from '../run/command.ts';
import { connect } from '../contexts/connect.ts';
import { eachOf, outputOptions, printRows } from '../output/print.ts';

const durations = defineCommand({
  path: 'report durations',
  summary: 'show how long experiments stay in each state of a workflow',
  description: 'Covers the stays that ended in the period. The default period is the last 90 days.',
  args: [{ name: 'workflow', about: 'label of the workflow' }],
  options: {
    from: { takes: 'TIME', about: 'start of the period, such as 2026-01-01T00:00:00Z' },
    to: { takes: 'TIME', about: 'end of the period' },
    ...outputOptions,
  },
  examples: [
    'milepost report durations brain_mri',
    'milepost report durations brain_mri --from 2026-01-01T00:00:00Z -o csv',
  ],
  run: async ({ args, values, environment }) => {
    const client = await connect({ values, environment });
    const query = {
      ...(values.from !== undefined && { from: values.from }),
      ...(values.to !== undefined && { to: values.to }),
    };
    const { states } = await client.getWorkflowDurations({ params: { workflow_label: args.workflow }, query });
    const columns = ['state.label', 'stays', 'median_seconds', 'p90_seconds'];
    await printRows(eachOf(states), values, { columns, plural: 'states' });
  },
});

export const reportCommands = [durations];
