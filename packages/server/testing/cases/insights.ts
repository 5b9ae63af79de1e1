import type { insightOperations } from '@milepost/api';
import { found, invalid, missing, noSuchId } from './expectations.ts';
import { readsOnly, type Cases, type Row, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byWorkflow = async (world: World) => ({ workflow_id: (await world.workflow()).id });

const missingReference: Cases = {
  'rejects an unknown workflow': () => invalid({ query: { workflow_id: noSuchId } }, '?workflow_id'),
  'rejects an unknown cohort': async (world) =>
    invalid({ query: { ...(await byWorkflow(world)), cohort_id: noSuchId } }, '?cohort_id'),
  'rejects an unknown state in the query': async (world) =>
    invalid({ query: { ...(await byWorkflow(world)), q: 'state:none' } }, '?q'),
};

const validation: Cases = {
  'requires a workflow': () => invalid({}, '?workflow_id'),
  'rejects a period without weeks': async (world) =>
    invalid({ query: { ...(await byWorkflow(world)), weeks: 0 } }, '?weeks'),
};

/** Nothing was counted yet. Other tests compare the figures with slow queries. */
const rowOf = (success: Cases): Row => ({
  success,
  validation,
  'missing reference': missingReference,
  conflict: readsOnly,
});

const emptyList = (key: string): Row =>
  rowOf({
    'returns no rows for a workflow without experiments': async (world) =>
      found({ query: await byWorkflow(world) }, { [key]: [] }),
  });

const stateRows = async (world: World) => {
  const { id, states } = await world.workflow();
  const rows = Object.entries(states).map(([label, stateId]) => ({
    state: { id: stateId, label, uri: `/api/v2/states/${stateId}` },
    stays: 0,
    median_seconds: null,
  }));
  return { query: { workflow_id: id }, rows };
};

const byId = async (world: World) => ({ id: (await world.workflow()).id });
const at = '2026-01-31';

export const insightCases: SectionCases<typeof insightOperations> = {
  getPastWorkflowCounts: {
    success: {
      'returns every state, also without experiments': async (world) => {
        const { id, states } = await world.workflow();
        const rows = Object.entries(states).map(([label, stateId]) => ({
          state: { id: stateId, label, uri: `/api/v2/states/${stateId}` },
          experiments: 0,
        }));
        return found({ params: { id }, query: { at } }, { at, cohort_id: null, states: rows, experiments: 0 });
      },
    },
    validation: {
      'requires a day': async (world) => invalid({ params: await byId(world) }, '?at'),
      'rejects a day that does not exist': async (world) =>
        invalid({ params: await byId(world), query: { at: '2026-02-30' } }, '?at'),
    },
    'missing reference': {
      'returns 404 for an unknown workflow': () => missing({ params: { id: noSuchId }, query: { at } }),
      'rejects an unknown cohort': async (world) =>
        invalid({ params: await byId(world), query: { at, cohort_id: noSuchId } }, '?cohort_id'),
    },
    conflict: readsOnly,
  },
  getInsights: rowOf({
    'returns the states of a workflow without experiments': async (world) => {
      const { query, rows } = await stateRows(world);
      return found(
        { query },
        { cohort_id: null, experiments: 0, flow: [], traffic: [], stays: rows, failures: [], forecasts: [] },
      );
    },
  }),
  listInsightFlow: emptyList('flow'),
  listInsightStays: rowOf({
    'returns every state, also without stays': async (world) => {
      const { query, rows } = await stateRows(world);
      return found({ query }, { stays: rows });
    },
  }),
  listInsightFailures: emptyList('failures'),
  listInsightForecasts: emptyList('forecasts'),
  listInsightVariables: emptyList('variables'),
  listInsightDecisions: emptyList('decisions'),
};
