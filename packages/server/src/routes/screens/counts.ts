/** The number of experiments in each state of a workflow. */
import type { countOperations } from '@milepost/api';
import { ok, type Handlers } from '../../http/call.ts';
import { countStates } from '../../store/experiments/state-counts.ts';
import { getWorkflow } from '../../store/workflows/workflows.ts';
import { requireNamedObjects } from '../named-filters.ts';

export const countHandlers: Handlers<typeof countOperations> = {
  async getWorkflowCounts(call) {
    const {
      database: { db },
      account,
      params,
      query,
      links,
    } = call;
    const workflow = await getWorkflow(db, params);
    await requireNamedObjects(call, { cohort_id: { kind: 'cohort', id: query.cohort_id } });
    const rows = await countStates(db, account.scope, { workflowId: workflow.id, cohortId: query.cohort_id });
    return ok({
      workflow: links.ref('workflows', workflow),
      cohort_id: query.cohort_id ?? null,
      states: rows.map(({ id, label, ...counts }) => ({ state: links.ref('states', { id, label }), ...counts })),
      experiments: rows.reduce((sum, { experiments }) => sum + experiments, 0),
    });
  },
};
