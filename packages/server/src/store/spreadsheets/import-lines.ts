/** The lines of an import, their faults, and what must agree between them. */
import type { LineResult } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import type { ScreenPage } from '../screens/screen-page.ts';

export interface LineOfFile {
  line: number;
  cells: string[];
}

/**
 * Nothing is stored if the import was stopped in the meantime. An erasure waits for this statement. `next_at` says when the upload was last
 * known to continue.
 */
export async function insertLines(db: Db, importId: number, lines: readonly LineOfFile[]): Promise<void> {
  if (lines.length === 0) return;
  await sql`
    with receiving as (
      update imports set next_at = clock_timestamp() where imports.id = ${importId} and imports.status = 'uploading' returning imports.id)
    insert into import_lines (import_id, line, cells)
    select receiving.id, given.line, given.cells
    from receiving, unnest(${lines.map(({ line }) => line)}::integer[], ${lines.map(({ cells }) => JSON.stringify(cells))}::jsonb[])
      as given (line, cells)`.execute(db);
}

/** Of a file that could not be read to its end. */
export const removeLines = (tx: Tx, importId: number) =>
  sql`delete from import_lines where import_id = ${importId}`.execute(tx);

/** Of all lines that are read at once. Few lines can be a large part of a file. */
const mostBytes = 4_000_000;

/** The first of these lines that have at most `mostBytes` before them, and whether there is another line after each. */
const withinSize = (found: RawBuilder<unknown>) => sql`
  select *, lead(line) over (order by line) is not null as is_followed,
    sum(bytes) over (order by line) - bytes <= ${sql.lit(mostBytes)} as is_within
  from (select *, octet_length(cells::text) as bytes from (${found}) as found) as measured`;

const hasResult = (result: LineResult | undefined) =>
  result === undefined ? sql`true` : sql`result = ${sql.lit(result)}`;

/** In their order, and at least one if there is one. With `result`, only those with it. */
export async function listNextLines(
  tx: Tx,
  { importId, after, limit }: { importId: number; after: number; limit: number },
  result?: LineResult,
): Promise<LineOfFile[]> {
  const found = sql`
    select line, cells from import_lines where import_id = ${importId} and line > ${after} and ${hasResult(result)}
    order by line limit ${limit}`;
  const { rows } = await sql<LineOfFile>`
    select line, cells from (${withinSize(found)}) as next_lines where is_within order by line`.execute(tx);
  return rows;
}

export interface LineOutcome {
  line: number;
  result: LineResult;
  subject: string | null;
  experiment: string | null;
  state: string | null;
  newSubject: boolean;
  newExperiment: boolean;
}

/** The caller has locked the import. */
export async function saveOutcomes(tx: Tx, importId: number, outcomes: readonly LineOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const of = <T>(value: (outcome: LineOutcome) => T) => outcomes.map(value);
  await sql`
    update import_lines set result = given.result, subject = given.subject, experiment = given.experiment, state = given.state,
      new_subject = given.new_subject, new_experiment = given.new_experiment
    from unnest(${of(({ line }) => line)}::integer[], ${of(({ result }) => result)}::text[], ${of(({ subject }) => subject)}::text[],
        ${of(({ experiment }) => experiment)}::text[], ${of(({ state }) => state)}::text[],
        ${of(({ newSubject }) => newSubject)}::boolean[], ${of(({ newExperiment }) => newExperiment)}::boolean[])
      as given (line, result, subject, experiment, state, new_subject, new_experiment)
    where import_lines.import_id = ${importId} and import_lines.line = given.line`.execute(tx);
}

export interface FaultOfLine {
  line: number;
  place: number;
  detail: string;
}

/** A line has fewer faults than this. */
const numbersPerLine = 1000;

/** The caller has locked the import. */
export async function insertFaults(tx: Tx, importId: number, faults: readonly FaultOfLine[]): Promise<void> {
  if (faults.length === 0) return;
  const places = new Map<number, number>();
  const numbers = faults.map(({ line }) => {
    const place = (places.get(line) ?? -1) + 1;
    places.set(line, place);
    return line * numbersPerLine + place;
  });
  await sql`
    insert into import_faults (import_id, number, line, place, detail)
    select ${importId}::bigint, given.number, given.line, given.place, left(given.detail, 2000)
    from unnest(${numbers}::bigint[], ${faults.map(({ line }) => line)}::integer[], ${faults.map(({ place }) => place)}::integer[],
      ${faults.map(({ detail }) => detail)}::text[]) as given (number, line, place, detail)`.execute(tx);
}

export interface LineKey {
  key: Buffer;
  value: Buffer;
  line: number;
}

/** Stores the keys that are new. Returns for each one the first line that has it, and whether that line has the same value. */
export async function claimKeys(
  tx: Tx,
  importId: number,
  keys: readonly LineKey[],
): Promise<{ line: number; same: boolean }[]> {
  if (keys.length === 0) return [];
  const given = sql`unnest(${keys.map(({ key }) => key)}::bytea[], ${keys.map(({ value }) => value)}::bytea[],
    ${keys.map(({ line }) => line)}::integer[]) with ordinality as given (key, value, line, place)`;
  await sql`
    insert into import_keys (import_id, key, value, line)
    select distinct on (given.key) ${importId}::bigint, given.key, given.value, given.line from ${given}
    order by given.key, given.place on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ line: number; same: boolean }>`
    select known.line, known.value = given.value as same from ${given}
    join import_keys as known on known.import_id = ${importId} and known.key = given.key order by given.place`.execute(
    tx,
  );
  return rows;
}

/** Removes some of the keys, and some of the faults if `faults` is set. Returns whether there were any. */
export async function removeOfCheck(tx: Tx, importId: number, { faults }: { faults: boolean }): Promise<boolean> {
  const remove = (table: string) => sql`
    delete from ${sql.table(table)} as one where one.ctid = any(array(
      select found.ctid from ${sql.table(table)} as found where found.import_id = ${importId} limit 20000))`;
  const keys = await remove('import_keys').execute(tx);
  const gone = faults ? await remove('import_faults').execute(tx) : undefined;
  return Number(keys.numAffectedRows ?? 0) + Number(gone?.numAffectedRows ?? 0) > 0;
}

export interface FaultRow extends FaultOfLine {
  number: number;
  value: string;
}

/** `place`: only in this column. */
export async function listFaults(
  db: Db,
  importId: number,
  { place, after, offset, limit }: ScreenPage & { place?: number | undefined },
): Promise<FaultRow[]> {
  const inColumn = place === undefined ? sql`true` : sql`import_faults.place = ${place}`;
  const { rows } = await sql<FaultRow>`
    select import_faults.number, import_faults.line, import_faults.place, import_faults.detail,
      coalesce(left(import_lines.cells ->> (import_faults.place - 1), 200), '') as value
    from import_faults left join import_lines
      on import_lines.import_id = import_faults.import_id and import_lines.line = import_faults.line and import_faults.place > 0
    where import_faults.import_id = ${importId} and import_faults.number > ${after} and ${inColumn}
    order by import_faults.number limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export interface LineRow extends LineOfFile {
  result: LineResult | null;
  subject: string | null;
  experiment: string | null;
  state: string | null;
  new_subject: boolean;
  new_experiment: boolean;
}

/** A page has fewer lines than its limit if they are long. */
export async function listLines(
  db: Db,
  importId: number,
  { result, after, offset, limit }: ScreenPage & { result?: LineResult | undefined },
): Promise<{ lines: LineRow[]; isLast: boolean }> {
  const found = sql`
    select line, cells, result, subject, experiment, state, new_subject, new_experiment from import_lines
    where import_id = ${importId} and line > ${after} and ${hasResult(result)}
    order by line limit ${limit + 1} offset ${offset}`;
  const { rows } = await sql<LineRow & { is_followed: boolean }>`
    select line, cells, result, subject, experiment, state, new_subject, new_experiment, is_followed
    from (${withinSize(found)}) as next_lines where is_within order by line limit ${limit}`.execute(db);
  const isLast = rows.at(-1)?.is_followed !== true;
  return { lines: rows.map(({ is_followed: _followed, ...line }) => line), isLast };
}
