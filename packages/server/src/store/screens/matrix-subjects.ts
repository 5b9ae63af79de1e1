/**
 * The subjects of a matrix that match filters. A request looks at a limited number of subjects, so its cost does not depend on how rare
 * the matching ones are. A page can therefore have few rows or none, and still not be the last one.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { inCohorts, needingAttention } from './needing-attention.ts';
import { startsWith } from './label-prefix.ts';

export interface MatrixFilter {
  label?: string | undefined;
  stateId?: number | undefined;
  /** The visits of the columns, for subjects that lack one of them. */
  gapsIn?: readonly string[] | undefined;
  attention: boolean;
}

export const isFiltered = ({ label, stateId, gapsIn, attention }: MatrixFilter): boolean =>
  label !== undefined || stateId !== undefined || gapsIn !== undefined || attention;

export interface MatrixSubject {
  id: number;
  label: string;
  withdrawn_at: string | null;
  erased_at: string | null;
}

export interface MatrixPage {
  rows: MatrixSubject[];
  next: number | undefined;
}

/** Subjects whose label is compared, and those whose experiments are looked at. */
export const mostLabels = 10_000;
export const mostLooks = 500;

interface Start {
  cohortId: number;
  after: number;
  limit: number;
  offset: number;
}

export async function findMatrixSubjects(db: Db, start: Start, filter: MatrixFilter): Promise<MatrixPage> {
  if (start.limit === 0) return { rows: [], next: undefined };
  const until = start.offset + start.limit;
  const { ids, end } = await findCandidates(db, start, filter);
  const { rows } = await sql<MatrixSubject>`
    select subjects.id, subjects.label, subjects.withdrawn_at, subjects.erased_at
    from subjects where subjects.id = any(${ids}::bigint[]) and ${hasState(filter)} and ${hasGaps(filter)}
    order by subjects.id limit ${until + 1}`.execute(db);
  const shown = rows.slice(start.offset, until);
  return { rows: shown, next: rows.length > until ? (shown.at(-1)?.id ?? start.after) : end };
}

interface Candidates {
  ids: number[];
  /** After which to continue. */
  end: number | undefined;
}

/** Subjects that match the filters which need no look at their experiments. */
async function findCandidates(
  db: Db,
  { cohortId, after, limit, offset }: Start,
  filter: MatrixFilter,
): Promise<Candidates> {
  const { label, stateId, gapsIn } = filter;
  const wanted = stateId === undefined && gapsIn === undefined ? offset + limit + 1 : mostLooks;
  const most = label === undefined ? wanted : mostLabels;
  const near = filter.attention ? needingSubjects(cohortId, after, most) : subjectsAfter(cohortId, after, most);
  const { rows } = await sql<{ ids: number[]; looked: number; last: number | null }>`
    with near as materialized (${near}), matching as (
      select near.id from near where ${label === undefined ? sql`true` : startsWith('near.label', label)}
      order by near.id limit ${wanted})
    select array(select matching.id from matching order by matching.id) as ids,
      (select count(*) from near) as looked, (select max(near.id) from near) as last`.execute(db);
  const { ids, looked, last } = rows[0] ?? { ids: [], looked: 0, last: null };
  const isFull = ids.length === wanted;
  return { ids, end: isFull ? ids.at(-1) : looked === mostLabels ? (last ?? undefined) : undefined };
}

/** Names both columns of the index, as `readList` does. */
const subjectsAfter = (cohortId: number, after: number, most: number): RawBuilder<unknown> => sql`
  select subjects.id, subjects.label from subjects
  where (subjects.cohort_id, subjects.id) > (${cohortId}::bigint, ${after}::bigint) and subjects.cohort_id <= ${cohortId}
  order by subjects.cohort_id, subjects.id limit ${most}`;

const needingSubjects = (cohortId: number, after: number, most: number): RawBuilder<unknown> => sql`
  with ${needingAttention(inCohorts([cohortId]))}
  select subjects.id, subjects.label from (
    select distinct needing.subject_id as id from needing where needing.subject_id > ${after} order by id limit ${most}
  ) as found cross join lateral (
    select subjects.id, subjects.label from subjects where subjects.id = found.id limit 1) as subjects`;

const hasState = ({ stateId }: MatrixFilter) =>
  stateId === undefined
    ? sql`true`
    : sql`exists (
        select from experiments where experiments.subject_id = subjects.id and experiments.state_id = ${stateId} offset 0)`;

/** Nothing is missing for a subject who withdrew. */
const hasGaps = ({ gapsIn }: MatrixFilter) =>
  gapsIn === undefined
    ? sql`true`
    : sql`subjects.withdrawn_at is null and (
        select count(distinct found.visit) from (
          select visit_of(subjects.label, experiments.label) as visit from experiments
          where experiments.subject_id = subjects.id offset 0) as found
        where found.visit = any(${[...gapsIn]}::text[])) < ${gapsIn.length}`;
