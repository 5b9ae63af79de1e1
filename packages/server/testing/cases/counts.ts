import type { countOperations } from '@milepost/api';
import { found, invalid, missingParts, noSuchId } from './expectations.ts';
import { readsOnly, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.workflow()).id });

export const countCases: SectionCases<typeof countOperations> = {
  getWorkflowCounts: {
    success: {
      'counts the experiments of a cohort by state': async (world) => {
        const { id, workflow } = await world.experiment();
        const [row] = await world.sql<{ cohort_id: string }>('select cohort_id from experiments where id = $1', [id]);
        const cohort_id = Number(row?.cohort_id);
        const rows = Object.entries(workflow.states).map(([label, stateId]) => ({
          state: { id: stateId, label, uri: `/api/v2/states/${stateId}` },
          experiments: label === 'arrived' ? 1 : 0,
          waiting: 0,
        }));
        const body = { cohort_id, states: rows, experiments: 1 };
        return found({ params: { id: workflow.id }, query: { cohort_id } }, body);
      },
    },
    validation: {
      'rejects a cohort id that is not a number': async (world) =>
        invalid({ params: await byId(world), query: { cohort_id: 'mine' } }, '?cohort_id'),
    },
    'missing reference': {
      ...missingParts(byId, { id: noSuchId }),
      'rejects an unknown cohort': async (world) =>
        invalid({ params: await byId(world), query: { cohort_id: noSuchId } }, '?cohort_id'),
    },
    conflict: readsOnly,
  },
};
