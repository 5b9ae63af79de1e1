/** The experiments in each state of a workflow at the end of a past day. */
import type { insightOperations } from '@milepost/api';
import { ok, type Handlers } from '../../http/call.ts';
import { readCountedUpTo } from '../../store/insights/progress.ts';
import { listInsightStates, readLevelsAt } from '../../store/insights/read-figures.ts';
import { withinCohort } from '../../store/scope.ts';
import { getWorkflow } from '../../store/workflows/workflows.ts';
import { requireNamedObjects } from '../named-filters.ts';

export const pastCountHandlers: Handlers<Pick<typeof insightOperations, 'getPastWorkflowCounts'>> = {
  async getPastWorkflowCounts(call) {
    const { params, query, links, account } = call;
    const { db } = call.database;
    const workflow = await getWorkflow(db, params);
    await requireNamedObjects(call, { cohort_id: { kind: 'cohort', id: query.cohort_id } });
    const scope = query.cohort_id === undefined ? account.scope : withinCohort(account.scope, query.cohort_id);
    const levels = await readLevelsAt(db, scope, { workflowId: workflow.id, day: query.at });
    const counts = new Map(levels.map(({ state_id, experiments }) => [state_id, experiments]));
    const states = (await listInsightStates(db, workflow.id))
      .map((state) => ({ state, experiments: counts.get(state.id) ?? 0 }))
      .filter(({ state, experiments }) => !state.is_retired || experiments > 0);
    return ok({
      workflow: links.ref('workflows', workflow),
      cohort_id: query.cohort_id ?? null,
      at: query.at,
      states: states.map(({ state, experiments }) => ({ state: links.ref('states', state), experiments })),
      experiments: states.reduce((sum, { experiments }) => sum + experiments, 0),
      counted: await readCountedUpTo(db),
    });
  },
};
