/**
 * The subjects of a matrix in the order of their labels. With the filters for labels, states and gaps, a request looks at a limited number of
 * subjects. A page can therefore have few rows or none, and still not be the last one. With the filter for attention, each request reads all
 * subjects of the cohort that need attention.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../database/connection.ts';
import { invalid } from '../../errors.ts';
import { inCohorts, needingAttention } from './needing-attention.ts';
import { startsWith } from './label-prefix.ts';

export interface MatrixFilter {
  label?: string | undefined;
  stateId?: number | undefined;
  /** The visits of the columns, for subjects that lack one of them. */
  gapsIn?: readonly string[] | undefined;
  attention: boolean;
}

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
  /** The id of a subject in this cohort, or 0 for the first page. */
  after: number;
  limit: number;
  offset: number;
}

export async function findMatrixSubjects(db: Db, start: Start, filter: MatrixFilter): Promise<MatrixPage> {
  const { cohortId, limit, offset } = start;
  if (limit === 0) return none;
  const after = await findLabel(db, start);
  const isFiltered =
    filter.attention || filter.label !== undefined || filter.stateId !== undefined || filter.gapsIn !== undefined;
  const from = isFiltered ? after : await lastSkipped(db, { cohortId, after, count: offset });
  if (from === undefined) return none;
  const { found, end } = await findSubjects(
    db,
    { cohortId, limit, offset: isFiltered ? offset : 0, after: from },
    filter,
  );
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? start.after) : end };
}

const none: MatrixPage = { rows: [], next: undefined };

/** Reads the label of the last subject to skip from the index only. */
async function lastSkipped(
  db: Db,
  { cohortId, after, count }: { cohortId: number; after: string; count: number },
): Promise<string | undefined> {
  if (count === 0) return after;
  const { rows } = await sql<{ label: string }>`
    select subjects.label from subjects where ${isAfter(cohortId, after)}
    order by subjects.cohort_id, subjects.label offset ${count - 1} limit 1`.execute(db);
  return rows[0]?.label;
}

/**
 * Every label comes after an empty one. Labels of other cohorts are not compared, because their place would show what they are. A subject
 * that has left the cohort cannot be continued from.
 */
async function findLabel(db: Db, { cohortId, after }: Start): Promise<string> {
  if (after === 0) return '';
  const found = await db
    .selectFrom('subjects')
    .select('subjects.label')
    .where('subjects.id', '=', after)
    .where('subjects.cohort_id', '=', cohortId)
    .executeTakeFirst();
  if (!found)
    throw invalid({
      pointer: '?after',
      detail: `No subject with id ${after} in this cohort. Start again without \`after\`.`,
    });
  return found.label;
}

interface Found {
  /** Without those to skip, and up to one more than the page needs. */
  found: MatrixSubject[];
  /** After which subject to continue, if all that were looked at are on the page. */
  end: number | undefined;
}

/** Looks at the experiments only of subjects that match the other filters. */
async function findSubjects(
  db: Db,
  { cohortId, after, limit, offset }: Omit<Start, 'after'> & { after: string },
  filter: MatrixFilter,
): Promise<Found> {
  const { label, stateId, gapsIn } = filter;
  const wanted = stateId === undefined && gapsIn === undefined ? offset + limit + 1 : mostLooks;
  const most = label === undefined ? wanted : mostLabels;
  const near = filter.attention ? needingSubjects(cohortId, after, most) : subjectsAfter(cohortId, after, most);
  const { rows } = await sql<(MatrixSubject | { id: null }) & Looks>`
    with near as materialized (${near}), matching as materialized (
      select near.* from near where ${label === undefined ? sql`true` : startsWith('near.label', label)}
      order by near.label limit ${wanted}
    ), looks as (
      select (select count(*) from near) as compared, (select count(*) from matching) as matched,
        (select near.id from near order by near.label desc limit 1) as last_compared,
        (select matching.id from matching order by matching.label desc limit 1) as last_matched
    ), found as (
      select subjects.* from matching as subjects where ${hasState(filter)} and ${hasGaps(filter)}
      order by subjects.label offset ${offset} limit ${limit + 1})
    select found.*, looks.* from looks left join found on true order by found.label`.execute(db);
  return { found: rows.filter((row) => row.id !== null), end: endOf(rows[0], wanted) };
}

interface Looks {
  compared: number;
  matched: number;
  last_compared: number | null;
  last_matched: number | null;
}

function endOf(looks: Looks | undefined, wanted: number): number | undefined {
  if (looks?.matched === wanted) return looks.last_matched ?? undefined;
  return looks?.compared === mostLabels ? (looks.last_compared ?? undefined) : undefined;
}

const columns = sql`subjects.id, subjects.label, subjects.withdrawn_at, subjects.erased_at`;

/** Names both columns of the index, as `readList` does. */
const isAfter = (cohortId: number, after: string) => sql<boolean>`
  (subjects.cohort_id, subjects.label) > (${cohortId}::bigint, ${after}::text)
  and subjects.cohort_id >= ${cohortId} and subjects.cohort_id <= ${cohortId}`;

const subjectsAfter = (cohortId: number, after: string, most: number): RawBuilder<unknown> => sql`
  select ${columns} from subjects where ${isAfter(cohortId, after)} order by subjects.cohort_id, subjects.label limit ${most}`;

const needingSubjects = (cohortId: number, after: string, most: number): RawBuilder<unknown> => sql`
  with ${needingAttention(inCohorts([cohortId]))}
  select ${columns} from (
    select distinct needing.subject_id as id from needing
  ) as found cross join lateral (
    select ${columns} from subjects where subjects.id = found.id limit 1) as subjects
  where subjects.label > ${after}::text order by subjects.label limit ${most}`;

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
