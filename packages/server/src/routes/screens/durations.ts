/** How long experiments stay in each state of a workflow. */
import { maxStays, type durationOperations, type StateDurations } from '@milepost/api';
import type { Static } from 'typebox';
import { invalid } from '../../errors.ts';
import { ok, type Handlers } from '../../http/call.ts';
import type { Links } from '../../links.ts';
import { readDurations, type DurationRow } from '../../store/experiments/durations.ts';
import { getLabelledWorkflow } from '../workflows/workflows.ts';

export const durationHandlers: Handlers<typeof durationOperations> = {
  async getWorkflowDurations({ database: { db }, account, params, query, links }) {
    const period = periodOf(query);
    const workflow = await getLabelledWorkflow(db, params.workflow_label);
    const rows = await readDurations(db, account.scope, { workflowId: workflow.id, ...period, maxStays });
    return ok({ workflow: links.ref('workflows', workflow), ...period, states: showStates(links, rows) });
  },
};

/** The first year that PostgreSQL and times of the API have in common. */
const earliest = new Date('0001-01-01T00:00:00Z').getTime();
const defaultPeriodMs = 90 * 24 * 3600 * 1000;

function periodOf({ from, to }: { from?: string; to?: string }) {
  const end = to === undefined ? new Date() : new Date(to);
  const start = from === undefined ? new Date(Math.max(earliest, end.getTime() - defaultPeriodMs)) : new Date(from);
  if (start < end) return { from: start.toISOString(), to: end.toISOString() };
  throw invalid({ pointer: '?from', detail: '?from must be earlier than ?to, which is the current time by default.' });
}

const showFigures = ({ stays, median, p90 }: DurationRow) => ({ stays, median_seconds: median, p90_seconds: p90 });

/** The rows of a state are its own and those of its cohorts. */
function showStates(links: Links, rows: readonly DurationRow[]): Static<typeof StateDurations>[] {
  const byState = Map.groupBy(rows, ({ state_id }) => state_id);
  return rows.flatMap((row) => {
    if (row.cohort_id !== null) return [];
    const state = links.ref('states', { id: row.state_id, label: row.state_label });
    return [
      { state, ...showFigures(row), more: row.more, cohorts: showCohorts(links, byState.get(row.state_id) ?? []) },
    ];
  });
}

const showCohorts = (links: Links, rows: readonly DurationRow[]) =>
  rows.flatMap((row) =>
    row.cohort_id === null
      ? []
      : [{ cohort: links.ref('cohorts', { id: row.cohort_id, label: row.cohort_label ?? '' }), ...showFigures(row) }],
  );
