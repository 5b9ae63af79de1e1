import type { durationOperations } from '@milepost/api';
import { found, invalid, missingParts } from './expectations.ts';
import { readsOnly, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byLabel = async (world: World) => ({ workflow_label: (await world.workflow()).label });

export const durationCases: SectionCases<typeof durationOperations> = {
  getWorkflowDurations: {
    success: {
      'returns every state of the workflow, also without stays': async (world) => {
        const { label, states } = await world.workflow();
        const rows = Object.entries(states).map(([state, id]) => ({
          state: { id, label: state, uri: `/api/v2/states/${id}` },
          stays: 0,
          median_seconds: null,
          p90_seconds: null,
          more: false,
          cohorts: [],
        }));
        return found({ params: { workflow_label: label } }, { states: rows });
      },
    },
    validation: {
      'rejects a period before the year 1': async (world) =>
        invalid({ params: await byLabel(world), query: { to: '0001-01-01T00:00:00Z' } }, '?from'),
      'rejects a period that ends before it begins': async (world) =>
        invalid(
          { params: await byLabel(world), query: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } },
          '?from',
        ),
    },
    'missing reference': missingParts(byLabel, { workflow_label: 'none' }),
    conflict: readsOnly,
  },
};
