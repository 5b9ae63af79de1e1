/** Requests for the insights of the workflow of a study. */
import { names, shows, unmarked, type Requests } from './study-request.ts';

/** What the workers count is counted before. */
export function readsOfInsights(workflow_id: number, cohortId: number): Requests {
  const of = { workflow_id };
  const [all, found] = [{ query: of }, { query: { ...of, q: 'incident:any' } }];
  return {
    getPastWorkflowCounts: [
      unmarked({ params: { id: workflow_id }, query: { at: '2026-11-01' } }),
      {
        ...names({ cohort_id: cohortId }, false),
        parts: { params: { id: workflow_id }, query: { at: '2026-11-01', cohort_id: cohortId } },
      },
    ],
    getInsights: [shows(all), shows(found), names({ ...of, cohort_id: cohortId })],
    listInsightFlow: [unmarked(all), unmarked(found)],
    listInsightStays: [unmarked(all), unmarked(found)],
    listInsightFailures: [unmarked(all), unmarked(found)],
    listInsightForecasts: [shows(all)],
    listInsightVariables: [unmarked(all), unmarked(found)],
    listInsightDecisions: [unmarked(all), unmarked(found)],
  };
}
