/** Imports of spreadsheets. Only their author sees them, in the cohorts where they can import: a file can contain more than is imported. */
import type { ColumnMapping, Delimiter, Encoding, ImportStatus } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import { allowLongStatements, type Db, type Tx } from '../../database/connection.ts';
import { notFound } from '../../errors.ts';
import { dueSetsOf, isDue, timesOf, type Continuation } from '../due-sets.ts';
import type { Caller } from '../people/caller.ts';
import { inScope } from '../scope.ts';

export interface NewImport {
  author_id: number;
  token_id: number | null;
  request_id: string | null;
  cohort_id: number;
  workflow_id: number | null;
  file_name: string;
  encoding: Encoding;
  delimiter: Delimiter;
  headers: string[];
  mapping: ColumnMapping[];
  mapping_name: string | null;
}

export interface ImportCounts {
  lines: number;
  ready: number;
  unchanged: number;
  faulty: number;
  done: number;
  new_subjects: number;
  new_experiments: number;
  /** The number of faults in whole lines, and then in each column. */
  column_faults: number[];
}

export interface ImportRow extends NewImport, ImportCounts {
  id: number;
  status: ImportStatus;
  stopped_because: string | null;
  author_name: string;
  cohort_label: string;
  workflow_label: string | null;
  first_lines: string[][];
  waiting_for: string | null;
  per_minute: number | null;
  created_at: string;
  checked_at: string | null;
  started_at: string | null;
  ended_at: string | null;
}

const previewed = 20;
/** Of each of the first lines. A cell can be as long as a line. */
const previewedCharacters = 200;

export async function insertImport(tx: Tx, { mapping, ...values }: NewImport): Promise<number> {
  const column_faults = noFaults(values.headers);
  const row = { ...values, mapping: JSON.stringify(mapping), column_faults };
  return (await tx.insertInto('imports').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

export const noFaults = (headers: readonly string[]): number[] => [0, ...headers.map(() => 0)];

/** The caller has locked the author. */
export async function countUnended(tx: Tx, authorId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('imports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('author_id', '=', authorId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

const isVisibleTo = ({ id, scope }: Caller): RawBuilder<boolean> =>
  sql<boolean>`(imports.author_id = ${id} and ${inScope(scope, 'imports.cohort_id')})`;

const selectImports = (where: RawBuilder<unknown>) => sql<ImportRow>`
  select imports.id, imports.author_id, imports.token_id, imports.request_id, imports.cohort_id, imports.workflow_id, imports.file_name,
    imports.encoding, imports.delimiter, imports.headers, imports.mapping, imports.mapping_name, imports.status, imports.stopped_because,
    imports.lines, imports.ready, imports.unchanged, imports.faulty, imports.done, imports.new_subjects, imports.new_experiments,
    imports.column_faults, imports.waiting_for, imports.per_minute, imports.created_at, imports.checked_at, imports.started_at, imports.ended_at,
    coalesce(nullif(users.name, ''), users.username) as author_name, cohorts.label as cohort_label, workflows.label as workflow_label,
    array_to_json(array(
      select array_to_json(array(
        select left(cell.text, ${sql.lit(previewedCharacters)})
        from jsonb_array_elements_text(import_lines.cells) with ordinality as cell (text, place)
        where cell.place <= cardinality(imports.headers) order by cell.place))
      from import_lines where import_lines.import_id = imports.id
      order by import_lines.line limit ${sql.lit(previewed)})) as first_lines
  from imports join users on users.id = imports.author_id join cohorts on cohorts.id = imports.cohort_id
    left join workflows on workflows.id = imports.workflow_id
  where ${where}`;

export async function getImport(db: Db, caller: Caller, id: number): Promise<ImportRow> {
  const [found] = (await selectImports(sql`imports.id = ${id} and ${isVisibleTo(caller)}`).execute(db)).rows;
  if (!found) throw notFound(`import with id ${id}`);
  return found;
}

/** Locks the import until the end of the transaction. Waits for the set that a worker is importing. */
export async function lockImport(tx: Tx, caller: Caller, id: number): Promise<ImportRow> {
  await sql`select from imports where imports.id = ${id} and ${isVisibleTo(caller)} for no key update`.execute(tx);
  return getImport(tx, caller, id);
}

/**
 * Locks all imports that have not ended, and waits for the sets that workers are importing. A worker locks an import before the subjects of
 * its lines, so an erasure does, too.
 */
export async function lockUnendedImports(tx: Tx): Promise<void> {
  await allowLongStatements(tx);
  await sql`select from imports where ended_at is null order by id for update`.execute(tx);
}

/** Newest first. */
export async function listImports(
  db: Db,
  caller: Caller,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<ImportRow[]> {
  const start = before === undefined ? sql`true` : sql`imports.id < ${before}`;
  const where = sql`${isVisibleTo(caller)} and ${start} order by imports.id desc limit ${limit}`;
  return (await selectImports(where).execute(db)).rows;
}

export interface ImportUpdate extends Partial<ImportCounts> {
  status?: ImportStatus;
  stopped_because?: string | null;
  mapping?: readonly ColumnMapping[];
  mapping_name?: string | null;
  workflow_id?: number | null;
  cleared?: boolean;
  position?: number;
  per_minute?: number;
  /** The lines are checked again. */
  checked_at?: null;
  token_id?: number | null;
}

/** The caller has locked the import. A worker continues with it after the given seconds. */
export async function updateImport(
  tx: Tx,
  id: number,
  { mapping, ...changes }: ImportUpdate,
  continuation: Continuation = {},
): Promise<void> {
  await tx
    .updateTable('imports')
    .set({
      ...changes,
      ...(mapping && { mapping: JSON.stringify(mapping) }),
      ...timesOf(changes.status, continuation),
    })
    .where('id', '=', id)
    .execute();
}

/** The columns that a worker reads. */
export interface DueImport
  extends
    Pick<NewImport, 'author_id' | 'token_id' | 'request_id' | 'cohort_id' | 'workflow_id' | 'headers' | 'mapping'>,
    ImportCounts {
  id: number;
  status: 'checking' | 'running';
  cleared: boolean;
  position: number;
  per_minute: number | null;
  tries: number;
  waiting_for: string | null;
  /** Of the workflow, at this moment. */
  revision: number | null;
}

/** Locks the import that has waited longest. Skips those that other workers have locked. */
export async function lockDueImport(tx: Tx): Promise<DueImport | undefined> {
  const { rows } = await sql<DueImport>`
    select id, author_id, token_id, request_id, cohort_id, workflow_id, headers, mapping, lines, ready, unchanged, faulty, done,
      new_subjects, new_experiments, column_faults, status, cleared, position, per_minute, tries, waiting_for,
      (select workflows.revision from workflows where workflows.id = imports.workflow_id) as revision
    from imports where ${isDue}`.execute(tx);
  return rows[0];
}

export const { postpone: postponeImport, secondsUntilDue, lockIdle: lockIdleImport } = dueSetsOf('imports');
