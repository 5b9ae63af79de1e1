import type { workflowOverviewOperations } from '@milepost/api';
import { failed } from './attention.ts';
import { found, invalidPaging } from './expectations.ts';
import { readsOnly, refersToNothing, type SectionCases } from './matrix.ts';

export const workflowOverviewCases: SectionCases<typeof workflowOverviewOperations> = {
  listWorkflowRows: {
    success: {
      'returns a workflow with its revision and the experiment that needs attention': async (world) => {
        const { experiment } = await failed(world);
        const { id } = experiment.workflow;
        const shown = {
          id,
          uri: `/api/v2/workflows/${id}`,
          current: { revision: 1 },
          experiments: 1,
          progress: [{ part: 'attention', title: null, experiments: 1 }],
        };
        return found({ query: { after: id - 1, limit: 1 } }, { workflows: [shown] });
      },
    },
    validation: invalidPaging(),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
};
