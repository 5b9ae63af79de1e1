/**
 * Which experiments a table shows, in pages. One part of the filter leads: its index is walked in the order of the page, and the
 * others are held against what it finds. The rarest come first, so that the walk is short.
 */
import type { incidentKinds, openStatuses } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database/connection.ts';
import { startsWith } from './label-prefix.ts';
import { itsAction } from './looked-up.ts';
import { readPage, type Keys, type PageOfKeys, type ScreenPage } from './screen-page.ts';
import { allCohorts, goesBeyondLooks, holdsCohort, inScope, looks, rowsIn, type Scope } from './scope.ts';

type IncidentKind = (typeof incidentKinds)[number];

export interface RowFilter {
  workflowId?: number | undefined;
  stateId?: number | undefined;
  cohortId?: number | undefined;
  subjectId?: number | undefined;
  /** The beginning of the label. */
  label?: string | undefined;
  incident?: 'any' | 'none' | IncidentKind | undefined;
  /** Of an execution of the latest action. */
  status?: (typeof openStatuses)[number] | undefined;
}

type Part = keyof RowFilter;
type Conditions = Partial<Record<Part, RawBuilder<boolean>>>;

/** The first of these that is asked for leads. */
const leaders: Part[] = ['subjectId', 'incident', 'status', 'label', 'stateId', 'cohortId', 'workflowId'];

const noKeys: PageOfKeys = { ids: [], next: () => undefined };

export async function listExperimentRowIds(
  db: Db,
  scope: Scope,
  filter: RowFilter,
  page: ScreenPage,
): Promise<PageOfKeys> {
  if (filter.cohortId !== undefined && !holdsCohort(scope, filter.cohortId)) return noKeys;
  const asked = leaders.find((part) => filter[part] !== undefined && filter[part] !== 'none');
  // What else there is in a state may be very much beside what the caller sees of it.
  const byScope = scope.kind === 'cohorts' && (asked === undefined || asked === 'stateId' || asked === 'workflowId');
  const leader = byScope ? undefined : asked;
  const held = Object.entries(conditionsOf(filter)).flatMap(([part, condition]) =>
    part === leader ? [] : [condition],
  );
  // Asked twice for the cohorts, the planner believes that there is next to nothing, and would rather read all there is.
  const seen = byScope ? sql<boolean>`true` : inScope(scope, 'experiments.cohort_id');
  const others = sql.join([seen, ...held], sql` and `);
  const walk = { others, page };
  if (leader === 'label' && scope.kind === 'cohorts') return readByLabel(db, scope, filter, walk);
  return readPage(db, byScope ? byCohorts(scope.ids, walk) : keysBy[leader ?? 'none'](filter, walk), page);
}

/** What an experiment must be, for those parts that do not lead. */
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

interface Walk {
  others: RawBuilder<unknown>;
  page: ScreenPage;
}

/** Spelled with both columns of the index, as `readList` does. */
const inside = (column: string, parent: number | RawBuilder<unknown>, { others, page }: Walk): Keys => ({
  from: sql`experiments`,
  where: sql`(${sql.ref(column)}, experiments.id) > (${parent}, ${page.after}) and ${sql.ref(column)} <= ${parent} and ${others}`,
  key: sql`experiments.id`,
  order: sql`${sql.ref(column)}, experiments.id`,
});

const byId = (more: RawBuilder<unknown>, { others, page }: Walk): Keys => ({
  from: sql`experiments`,
  where: sql`experiments.id > ${page.after} and ${more} and ${others}`,
  key: sql`experiments.id`,
  order: sql`experiments.id`,
});

type KeysBy = (filter: RowFilter, walk: Walk) => Keys;

const inOrderOfLabels = sql`lower(experiments.label), experiments.id`;

const keysBy: Record<Part | 'none', KeysBy> = {
  none: (_, walk) => byId(sql`true`, walk),
  subjectId: ({ subjectId = 0 }, walk) => byId(sql`experiments.subject_id = ${subjectId}`, walk),
  stateId: ({ stateId = 0 }, walk) => inside('experiments.state_id', stateId, walk),
  cohortId: ({ cohortId = 0 }, walk) => inside('experiments.cohort_id', cohortId, walk),
  label: byLabel,
  incident: byIncident,
  status: byStatus,
  workflowId: byStatesOf,
};

/**
 * Behind the label of the last row that was shown. Before the first page that is nothing, which stands before all labels; so is
 * that of a row which the caller may not see, as its label could else be found out by what stands behind it.
 */
const behindLabel = (scope: Scope, { label = '' }: RowFilter, { after }: ScreenPage): RawBuilder<boolean> => {
  const shown = sql`shown.id = ${after} and ${inScope(scope, 'shown.cohort_id')}`;
  const last = sql`coalesce((select lower(shown.label) from experiments as shown where ${shown}), '')`;
  return sql`(lower(experiments.label), experiments.id) > (${last}, ${after}) and ${startsWith('experiments.label', label)}`;
};

function byLabel(filter: RowFilter, { others, page }: Walk): Keys {
  const where = sql`${behindLabel(allCohorts, filter, page)} and ${others}`;
  return { from: sql`experiments`, where, key: sql`experiments.id`, order: inOrderOfLabels };
}

/** A little way along the labels of all; where there are more, and the page is not filled, among all that the caller's cohorts have. */
async function readByLabel(db: Db, scope: Scope, filter: RowFilter, { others, page }: Walk): Promise<PageOfKeys> {
  const behind = behindLabel(scope, filter, page);
  const keys = { key: sql`experiments.id`, order: inOrderOfLabels };
  const nearby = (most: number) =>
    sql`(select * from experiments where ${behind} order by ${inOrderOfLabels} limit ${most}) as experiments`;
  const found = await readPage(db, { ...keys, from: nearby(looks), where: others }, page);
  if (found.next() !== undefined || !(await goesBeyondLooks(db, nearby))) return found;
  const mine = rowsIn(scope, 'experiments', sql<boolean>`${behind} and ${others}`);
  const before = sql`with mine as materialized (select experiments.* from ${mine})`;
  return readPage(db, { ...keys, before, from: sql`mine as experiments`, where: sql`true` }, page);
}

/** Along the open incidents, ordered by their experiment. Of several kinds one stands for all. */
function byIncident({ incident }: RowFilter, { others, page }: Walk): Keys {
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
 * All that is open in this status, sorted: some thousands, and 100,000 in a great backlog. Found first and apart, as the
 * planner else walks along the experiments and hopes to meet some, or reads all actions to join them at once. The status is
 * part of the statement's text, without which no index of open ones fits.
 */
function byStatus({ status = 'queued' }: RowFilter, { others, page }: Walk): Keys {
  return {
    before: sql`with open as materialized (
      select distinct actions.experiment_id, actions.sequence from callback_executions as one ${itsAction}
      where one.status = ${sql.lit(status)} and actions.experiment_id > ${page.after})`,
    from: sql`open join experiments on experiments.id = open.experiment_id and experiments.action_sequence = open.sequence`,
    where: others,
    key: sql`open.experiment_id`,
    order: sql`open.experiment_id`,
  };
}

/** The pages of each of its states, merged: there is no index of workflows, which every move would pay for. */
function byStatesOf({ workflowId = 0 }: RowFilter, walk: Walk): Keys {
  const states = sql`(select states.id from states where states.workflow_id = ${workflowId})`;
  return merged(states, 'experiments.state_id', walk);
}

/** The pages of each cohort that the caller may see, merged. */
const byCohorts = (ids: readonly number[], walk: Walk): Keys =>
  merged(sql`unnest(${[...ids]}::bigint[])`, 'experiments.cohort_id', walk);

function merged(parents: RawBuilder<unknown>, column: string, walk: Walk): Keys {
  const { from, where, key, order } = inside(column, sql`parents.id`, walk);
  const { limit, offset } = walk.page;
  return {
    from: sql`${parents} as parents (id) cross join lateral (
      select ${key} as id from ${from} where ${where} order by ${order} limit ${limit + offset + 1}) as found`,
    where: sql`true`,
    key: sql`found.id`,
    order: sql`found.id`,
  };
}
