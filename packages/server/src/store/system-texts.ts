/**
 * What a thing is called in other systems: `{system_name: text}`. Addresses of cohorts and ids of subjects and
 * experiments differ only in their table, so one piece serves the three.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../database/connection.ts';

export interface SystemTexts {
  table: string;
  owner: string;
  text: string;
  /** What they are called together: in answers, and in the history, where names of systems may not stand among ours. */
  list: 'external_urls' | 'external_ids';
}

/** Links are resources of their own: with the cohort of their owner, and a version that rises when they are replaced. */
export interface Links extends SystemTexts {
  ownerTable: 'subjects' | 'experiments';
}

export const cohortUrls: SystemTexts = { table: 'cohort_urls', owner: 'cohort_id', text: 'url', list: 'external_urls' };
export const subjectIds: Links = {
  table: 'external_subject_links',
  owner: 'subject_id',
  text: 'external_id',
  list: 'external_ids',
  ownerTable: 'subjects',
};
export const experimentIds: Links = {
  table: 'external_experiment_links',
  owner: 'experiment_id',
  text: 'external_id',
  list: 'external_ids',
  ownerTable: 'experiments',
};

const table = (of: SystemTexts) => sql.table(of.table);
const owner = (of: SystemTexts) => sql.ref(`${of.table}.${of.owner}`);
const system = (of: SystemTexts) => sql.ref(`${of.table}.external_system_id`);
const text = (of: SystemTexts) => sql.ref(`${of.table}.${of.text}`);

const areLinks = (of: SystemTexts): of is Links => 'ownerTable' in of;

/** What is written of links only. */
const ofLinks = (of: SystemTexts, part: (links: Links) => RawBuilder<unknown>) => (areLinks(of) ? part(of) : sql``);

const cohortOf = ({ ownerTable }: Links, ownerId: number) =>
  sql`, (select cohort_id from ${sql.table(ownerTable)} where ${sql.ref(`${ownerTable}.id`)} = ${ownerId})`;

const raiseVersion = ({ table: name }: Links) => sql`, version = ${sql.ref(`${name}.version`)} + 1`;

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
    insert into ${table(of)} (${sql.ref(of.owner)}, external_system_id, ${sql.ref(of.text)}
      ${ofLinks(of, () => sql`, cohort_id`)})
    select ${ownerId}, entry.system_id, entry.text ${ofLinks(of, (links) => cohortOf(links, ownerId))}
    from unnest(${entries.map((entry) => entry.systemId)}::bigint[], ${entries.map((entry) => entry.text)}::text[])
      as entry (system_id, text)
    on conflict (${sql.ref(of.owner)}, external_system_id) do update
    set ${sql.ref(of.text)} = excluded.${sql.ref(of.text)} ${ofLinks(of, raiseVersion)}
    where ${text(of)} <> excluded.${sql.ref(of.text)}`.execute(tx);
}

export async function deleteSystemText(tx: Tx, of: SystemTexts, ownerId: number, systemId: number): Promise<void> {
  await sql`delete from ${table(of)} where ${owner(of)} = ${ownerId} and ${system(of)} = ${systemId}`.execute(tx);
}
