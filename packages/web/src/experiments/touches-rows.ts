import type { BodyOf, Touches } from '../api/operation-query.ts';
import { changesBelonging } from '../live/changes-belonging.ts';
import { isInPage } from '../table/in-page.ts';
import type { RowFilters } from './experiment-row.ts';

type RowsPage = BodyOf<'listExperimentRows'>;

/** What an event does not name may be anything. */
const mayMatch = (wanted: number | undefined, named: number | null) =>
  wanted === undefined || named === null || wanted === named;

/**
 * Which events change a page of experiments. Pages are ordered by id, so that a change of an experiment concerns the page
 * in whose range its id falls; where they are ordered by label, as one filters by it, any page. Of one subject it is those
 * that are shown, and new ones, which name the subject.
 */
export const touchesRows =
  (filters: RowFilters, range: { after: number | undefined; limit: number }): Touches =>
  (event, shown) => {
    const { experiment_id: id, cohort_id, workflow_id, data } = event;
    if (changesBelonging(event)) return true;
    if (id === null) return false;
    const rows = (shown as RowsPage | undefined)?.experiments;
    if (filters.subject_id !== undefined)
      return data['subject_id'] === filters.subject_id || rows?.some((row) => row.id === id) !== false;
    return (
      (filters.label !== undefined || isInPage(id, range, rows)) &&
      mayMatch(filters.cohort_id, cohort_id) &&
      mayMatch(filters.workflow_id, workflow_id)
    );
  };
