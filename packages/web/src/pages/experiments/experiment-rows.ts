import type { BodyOf, QueryOf, Touches } from '../../api/operation-query.ts';
import { changesParentOrLabel } from '../../live/live-event.ts';
import { isInPage } from '../../table/page-starts.ts';

type RowsPage = BodyOf<'listExperimentRows'>;
/** The columns read no more than this, so that a table need not request the other fields. */
export type ExperimentRow = Omit<RowsPage['experiments'][number], 'uri' | 'web_uri' | 'action_id'>;
export type RowFilters = Omit<QueryOf<'listExperimentRows'>, 'after' | 'limit' | 'offset' | 'label'>;

/** An event without an id can concern any object. */
const mayMatch = (wanted: number | undefined, named: number | null) =>
  wanted === undefined || named === null || wanted === named;

/**
 * Which events change a page of experiments. Pages are ordered by id, so an event concerns the page with its id in range.
 * For one subject, an event concerns the experiments shown and new ones, whose events name the subject.
 */
export const touchesRows =
  (filters: RowFilters, range: { after: number | undefined; limit: number }): Touches =>
  (event, shown) => {
    const { experiment_id: id, cohort_id, workflow_id, data } = event;
    if (changesParentOrLabel(event)) return true;
    if (id === null) return false;
    const rows = (shown as RowsPage | undefined)?.experiments;
    if (filters.subject_id !== undefined)
      return data['subject_id'] === filters.subject_id || rows?.some((row) => row.id === id) !== false;
    return (
      isInPage(id, range, rows) && mayMatch(filters.cohort_id, cohort_id) && mayMatch(filters.workflow_id, workflow_id)
    );
  };
