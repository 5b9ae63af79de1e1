/** The workflow, cohorts, weeks and experiments that a request for insights is about. */
import { defaultWeeks, maxQueried } from '@milepost/api';
import { weeksUpTo } from '../../engine/insights/weeks.ts';
import { Problem } from '../../errors.ts';
import type { Call } from '../../http/call.ts';
import { findByQuery } from '../../store/queries/find-by-query.ts';
import type { Cursor } from '../../store/queries/query-sorts.ts';
import { withinCohort, type Scope } from '../../store/scope.ts';
import { getWorkflow } from '../../store/workflows/workflows.ts';
import { requireNamedObjects } from '../named-filters.ts';
import { readText, tooBroad } from '../screens/experiment-search.ts';

export type InsightCall = Pick<Call, 'database' | 'account' | 'links'> & {
  query: { workflow_id: number; cohort_id?: number; weeks?: number; q?: string };
};

export interface InsightRequest {
  workflow: { id: number; label: string };
  /** Of the filter, or else that of the caller. */
  scope: Scope;
  weeks: string[];
  /** Undefined without a query. */
  experimentIds: number[] | undefined;
}

export async function readInsightRequest(call: InsightCall): Promise<InsightRequest> {
  const { workflow_id, cohort_id, weeks = defaultWeeks, q = '' } = call.query;
  await requireNamedObjects(call, {
    workflow_id: { kind: 'workflow', id: workflow_id },
    cohort_id: { kind: 'cohort', id: cohort_id },
  });
  const scope = cohort_id === undefined ? call.account.scope : withinCohort(call.account.scope, cohort_id);
  const workflow = await getWorkflow(call.database.db, { id: workflow_id });
  const ofWorkflow = `${q} workflow:"${workflow.label.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  return {
    workflow,
    scope,
    weeks: weeksUpTo(new Date(), weeks),
    experimentIds: q.trim() === '' ? undefined : await findExperiments(call, scope, ofWorkflow),
  };
}

const pageOfIds = 2000;

async function findExperiments(call: InsightCall, scope: Scope, text: string): Promise<number[]> {
  const { db } = call.database;
  const query = await readText(call, text);
  const ids: number[] = [];
  let after: Cursor | undefined;
  do {
    const request = { query, sort: 'id' as const, isDescending: false, after, limit: pageOfIds };
    const page = await findByQuery(db, scope, request);
    if ('refused' in page) throw tooBroad(page, 'id');
    ids.push(...page.found.map(({ id }) => id));
    if (ids.length > maxQueried) throw tooMany();
    after = page.next;
  } while (after !== undefined);
  return ids;
}

function tooMany(): Problem {
  const detail =
    `More than ${maxQueried} experiments match the query. Add a term that finds fewer, or remove the query: ` +
    'workflows and cohorts have no limit.';
  return new Problem('query_too_broad', detail, { faults: [{ pointer: '?q', detail }] });
}
