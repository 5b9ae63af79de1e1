/**
 * Finds the experiments of a table page. One part of the filter leads: its index is scanned in page order, and the other parts
 * filter the rows it finds. The most selective part leads, so that the scan is short.
 */
import type { incidentKinds, openStatuses } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { startsWith } from './label-prefix.ts';
import { joinAction } from '../lateral-joins.ts';
import { readPage, type Keys, type PageOfKeys, type ScreenPage } from './screen-page.ts';
import { allCohorts, hasMoreToScan, includesCohort, inScope, rowsIn, scanLimit, type Scope } from '../scope.ts';

type IncidentKind = (typeof incidentKinds)[number];

export interface RowFilter {
  workflowId?: number | undefined;
  stateId?: number | undefined;
  cohortId?: number | undefined;
  subjectId?: number | undefined;
  /** A prefix of the label. */
  label?: string | undefined;
  incident?: 'any' | 'none' | IncidentKind | undefined;
  /** The status of an execution of the latest action. */
  status?: (typeof openStatuses)[number] | undefined;
}

type Part = keyof RowFilter;
type Conditions = Partial<Record<Part, RawBuilder<boolean>>>;

/** The first of these that is set leads. */
const leaders: Part[] = ['subjectId', 'incident', 'status', 'label', 'stateId', 'cohortId', 'workflowId'];

const noKeys: PageOfKeys = { ids: [], next: () => undefined };

export async function listExperimentRowIds(
  db: Db,
  scope: Scope,
  filter: RowFilter,
  page: ScreenPage,
): Promise<PageOfKeys> {
  if (filter.cohortId !== undefined && !includesCohort(scope, filter.cohortId)) return noKeys;
  const first = leaders.find((part) => filter[part] !== undefined && filter[part] !== 'none');
  // A state can have far more experiments than those in the scope.
  const byScope = scope.kind === 'cohorts' && (first === undefined || first === 'stateId' || first === 'workflowId');
  const leader = byScope ? undefined : first;
  const conditions = Object.entries(conditionsOf(filter)).flatMap(([part, condition]) =>
    part === leader ? [] : [condition],
  );
  // If the statement names the cohorts twice, the planner expects almost no rows and scans the whole table.
  const visible = byScope ? sql<boolean>`true` : inScope(scope, 'experiments.cohort_id');
  const others = sql.join([visible, ...conditions], sql` and `);
  const scan = { others, page };
  if (leader === 'label' && scope.kind === 'cohorts') return readByLabel(db, scope, filter, scan);
  return readPage(db, byScope ? byCohorts(scope.ids, scan) : keysBy[leader ?? 'none'](filter, scan), page);
}

/** The conditions for the parts that do not lead. */
function conditionsOf(filter: RowFilter): Conditions {
  const { workflowId, stateId, cohortId, subjectId, label, incident, status } = filter;
  return {
    ...(workflowId !== undefined && { workflowId: sql<boolean>`experiments.workflow_id = ${workflowId}` }),
    ...(stateId !== undefined && { stateId: sql<boolean>`experiments.state_id = ${stateId}` }),
    ...(cohortId !== undefined && { cohortId: sql<boolean>`experiments.cohort_id = ${cohortId}` }),
    ...(subjectId !== undefined && { subjectId: sql<boolean>`experiments.subject_id = ${subjectId}` }),
    ...(label !== undefined && { label: startsWith('experiments.label', label) }),
    ...(incident !== undefined && { incident: hasIncident(incident) }),
    ...(status !== undefined && { status: hasExecution(status) }),
  };
}

const ofKind = (incident: RowFilter['incident']) =>
  incident === 'any' || incident === 'none' ? sql`true` : sql`incidents.kind = ${incident}`;

const hasIncident = (incident: RowFilter['incident']) => sql<boolean>`${incident === 'none' ? sql`not` : sql``} exists (
  select from incidents
  where incidents.experiment_id = experiments.id and incidents.closed_at is null and ${ofKind(incident)})`;

const hasExecution = (status: string) => sql<boolean>`exists (
  select from actions join callback_executions as one on one.action_id = actions.id
  where actions.experiment_id = experiments.id and actions.sequence = experiments.action_sequence
    and one.status = ${status})`;

interface RowScan {
  others: RawBuilder<unknown>;
  page: ScreenPage;
}

/** Names both columns of the index, as `readList` does. */
const withinParent = (column: string, parent: number | RawBuilder<unknown>, { others, page }: RowScan): Keys => ({
  from: sql`experiments`,
  where: sql`(${sql.ref(column)}, experiments.id) > (${parent}, ${page.after}) and ${sql.ref(column)} <= ${parent} and ${others}`,
  key: sql`experiments.id`,
  order: sql`${sql.ref(column)}, experiments.id`,
});

const byId = (more: RawBuilder<unknown>, { others, page }: RowScan): Keys => ({
  from: sql`experiments`,
  where: sql`experiments.id > ${page.after} and ${more} and ${others}`,
  key: sql`experiments.id`,
  order: sql`experiments.id`,
});

type KeysBy = (filter: RowFilter, scan: RowScan) => Keys;

const labelOrder = sql`lower(experiments.label), experiments.id`;

const keysBy: Record<Part | 'none', KeysBy> = {
  none: (_, scan) => byId(sql`true`, scan),
  subjectId: ({ subjectId = 0 }, scan) => byId(sql`experiments.subject_id = ${subjectId}`, scan),
  stateId: ({ stateId = 0 }, scan) => withinParent('experiments.state_id', stateId, scan),
  cohortId: ({ cohortId = 0 }, scan) => withinParent('experiments.cohort_id', cohortId, scan),
  label: byLabel,
  incident: byIncident,
  status: byStatus,
  workflowId: byWorkflow,
};

/**
 * Labels after that of the last row shown. The first page starts at the empty label. So does a page after a row outside the
 * scope, because the next labels would otherwise reveal that row's label.
 */
const afterLabel = (scope: Scope, { label = '' }: RowFilter, { after }: ScreenPage): RawBuilder<boolean> => {
  const shown = sql`shown.id = ${after} and ${inScope(scope, 'shown.cohort_id')}`;
  const last = sql`coalesce((select lower(shown.label) from experiments as shown where ${shown}), '')`;
  return sql`(lower(experiments.label), experiments.id) > (${last}, ${after}) and ${startsWith('experiments.label', label)}`;
};

function byLabel(filter: RowFilter, { others, page }: RowScan): Keys {
  const where = sql`${afterLabel(allCohorts, filter, page)} and ${others}`;
  return { from: sql`experiments`, where, key: sql`experiments.id`, order: labelOrder };
}

/** Scans a limited number of labels of all cohorts. If the page is not full and there are more, reads those of the scope. */
async function readByLabel(db: Db, scope: Scope, filter: RowFilter, { others, page }: RowScan): Promise<PageOfKeys> {
  const following = afterLabel(scope, filter, page);
  const keys = { key: sql`experiments.id`, order: labelOrder };
  const nearby = (limit: number) =>
    sql`(select * from experiments where ${following} order by ${labelOrder} limit ${limit}) as experiments`;
  const found = await readPage(db, { ...keys, from: nearby(scanLimit), where: others }, page);
  if (found.next() !== undefined || !(await hasMoreToScan(db, nearby))) return found;
  const inCohorts = rowsIn(scope, 'experiments', sql<boolean>`${following} and ${others}`);
  const before = sql`with in_scope as materialized (select experiments.* from ${inCohorts})`;
  return readPage(db, { ...keys, before, from: sql`in_scope as experiments`, where: sql`true` }, page);
}

/** Scans the open incidents by experiment. If an experiment has several kinds, only the first one counts. */
function byIncident({ incident }: RowFilter, { others, page }: RowScan): Keys {
  const first = sql`not exists (
    select from incidents as other
    where other.experiment_id = incidents.experiment_id and other.closed_at is null and other.kind < incidents.kind)`;
  return {
    from: sql`incidents join experiments on experiments.id = incidents.experiment_id`,
    where: sql`incidents.closed_at is null and incidents.experiment_id > ${page.after}
      and ${incident === 'any' ? first : ofKind(incident)} and ${others}`,
    key: sql`incidents.experiment_id`,
    order: sql`incidents.experiment_id`,
  };
}

/**
 * Sorts all open executions with this status: some thousands, or 100,000 in a large backlog. They are found first in their own
 * query, because the planner would otherwise scan the experiments or join all actions. The status is a literal, so that the
 * partial index of open executions applies.
 */
function byStatus({ status = 'queued' }: RowFilter, { others, page }: RowScan): Keys {
  return {
    before: sql`with open as materialized (
      select distinct actions.experiment_id, actions.sequence from callback_executions as one ${joinAction}
      where one.status = ${sql.lit(status)} and actions.experiment_id > ${page.after})`,
    from: sql`open join experiments on experiments.id = open.experiment_id and experiments.action_sequence = open.sequence`,
    where: others,
    key: sql`open.experiment_id`,
    order: sql`open.experiment_id`,
  };
}

/** Merges the pages of all states of the workflow. An index by workflow would slow down every move. */
function byWorkflow({ workflowId = 0 }: RowFilter, scan: RowScan): Keys {
  const states = sql`(select states.id from states where states.workflow_id = ${workflowId})`;
  return merged(states, 'experiments.state_id', scan);
}

/** Merges the pages of all cohorts in the scope. */
const byCohorts = (ids: readonly number[], scan: RowScan): Keys =>
  merged(sql`unnest(${[...ids]}::bigint[])`, 'experiments.cohort_id', scan);

function merged(parents: RawBuilder<unknown>, column: string, scan: RowScan): Keys {
  const { from, where, key, order } = withinParent(column, sql`parents.id`, scan);
  const { limit, offset } = scan.page;
  return {
    from: sql`${parents} as parents (id) cross join lateral (
      select ${key} as id from ${from} where ${where} order by ${order} limit ${limit + offset + 1}) as found`,
    where: sql`true`,
    key: sql`found.id`,
    order: sql`found.id`,
  };
}
