/** Saved mappings of the columns of spreadsheets. All users who can import into their cohort see them. */
import type { ColumnMapping } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';

/** By header. */
export type MappedColumns = Record<string, ColumnMapping>;

export interface MappingRow {
  id: number;
  name: string;
  columns: MappedColumns;
  changed_by: number;
  changed_by_name: string;
  changed_at: string;
}

const selectMappings = (where: RawBuilder<unknown>) => sql<MappingRow>`
  select import_mappings.id, import_mappings.name, import_mappings.columns, import_mappings.changed_by, import_mappings.changed_at,
    coalesce(nullif(users.name, ''), users.username) as changed_by_name
  from import_mappings join users on users.id = import_mappings.changed_by where ${where}`;

export async function listMappings(
  db: Db,
  cohortId: number,
  { after = 0, offset = 0, limit }: { after?: number; offset?: number; limit: number },
): Promise<MappingRow[]> {
  const where = sql`import_mappings.cohort_id = ${cohortId} and import_mappings.id > ${after}
    order by import_mappings.id limit ${limit} offset ${offset}`;
  return (await selectMappings(where).execute(db)).rows;
}

export async function findMapping(db: Db, cohortId: number, name: string): Promise<MappingRow | undefined> {
  const where = sql`import_mappings.cohort_id = ${cohortId} and import_mappings.name = ${name}`;
  return (await selectMappings(where).execute(db)).rows[0];
}

/** The caller has locked the cohort. */
export async function saveMapping(
  tx: Tx,
  { cohortId, name, columns, userId }: { cohortId: number; name: string; columns: MappedColumns; userId: number },
): Promise<void> {
  await sql`
    insert into import_mappings (cohort_id, name, columns, changed_by)
    values (${cohortId}, ${name}, ${JSON.stringify(columns)}::jsonb, ${userId})
    on conflict on constraint import_mappings_name_unique do update
    set columns = excluded.columns, changed_by = excluded.changed_by, changed_at = clock_timestamp()`.execute(tx);
}

export const deleteMapping = (tx: Tx, id: number) => sql`delete from import_mappings where id = ${id}`.execute(tx);
