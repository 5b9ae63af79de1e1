/**
 * What a thing is called in other systems: `{system_name: text}`. Addresses of cohorts and ids of subjects and
 * experiments differ only in their table, so one piece serves the three.
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../database/connection.ts';

export interface SystemTexts {
  table: string;
  owner: string;
  text: string;
  /** Links are resources of their own, with a version that rises when they are replaced. */
  versioned: boolean;
}

export const cohortUrls: SystemTexts = { table: 'cohort_urls', owner: 'cohort_id', text: 'url', versioned: false };
export const subjectIds: SystemTexts = {
  table: 'external_subject_links',
  owner: 'subject_id',
  text: 'external_id',
  versioned: true,
};
export const experimentIds: SystemTexts = {
  table: 'external_experiment_links',
  owner: 'experiment_id',
  text: 'external_id',
  versioned: true,
};

const table = (of: SystemTexts) => sql.table(of.table);
const owner = (of: SystemTexts) => sql.ref(`${of.table}.${of.owner}`);
const system = (of: SystemTexts) => sql.ref(`${of.table}.external_system_id`);
const text = (of: SystemTexts) => sql.ref(`${of.table}.${of.text}`);

const raiseVersion = (of: SystemTexts) => sql`, version = ${sql.ref(`${of.table}.version`)} + 1`;

export async function readSystemTexts(db: Db, of: SystemTexts, ownerId: number): Promise<Record<string, string>> {
  const { rows } = await sql<{ system_name: string; text: string }>`
    select external_systems.system_name, ${text(of)} as text
    from ${table(of)} join external_systems on external_systems.id = ${system(of)}
    where ${owner(of)} = ${ownerId}
    order by external_systems.id`.execute(db);
  return Object.fromEntries(rows.map((row) => [row.system_name, row.text]));
}

/** Adds and replaces the named systems and keeps the others. A link keeps its id, and its version unless its text differs. */
export async function upsertSystemTexts(
  tx: Tx,
  of: SystemTexts,
  ownerId: number,
  entries: readonly { systemId: number; text: string }[],
) {
  await sql`
    insert into ${table(of)} (${sql.ref(of.owner)}, external_system_id, ${sql.ref(of.text)})
    select ${ownerId}, entry.system_id, entry.text
    from unnest(${entries.map((entry) => entry.systemId)}::bigint[], ${entries.map((entry) => entry.text)}::text[])
      as entry (system_id, text)
    on conflict (${sql.ref(of.owner)}, external_system_id) do update
    set ${sql.ref(of.text)} = excluded.${sql.ref(of.text)} ${of.versioned ? raiseVersion(of) : sql``}
    where ${text(of)} <> excluded.${sql.ref(of.text)}`.execute(tx);
}

export async function deleteSystemText(tx: Tx, of: SystemTexts, ownerId: number, systemId: number): Promise<void> {
  await sql`delete from ${table(of)} where ${owner(of)} = ${ownerId} and ${system(of)} = ${systemId}`.execute(tx);
}
