/**
 * Values of an object in external systems: `{system_name: text}`. URLs of cohorts and external IDs of subjects and experiments
 * only differ in their table, so they share this code.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../database/connection.ts';
import { prepare } from '../../database/prepare.ts';

export interface ExternalValues {
  table: 'cohort_urls' | 'external_subject_links' | 'external_experiment_links';
  owner: string;
  text: string;
  /** The name of the map in responses and in the history, where system names must not mix with field names. */
  list: 'external_urls' | 'external_ids';
}

/** Links are separate resources: they have the cohort of their owner and a version. */
export interface Links extends ExternalValues {
  ownerTable: 'subjects' | 'experiments';
}

export const cohortUrls: ExternalValues = {
  table: 'cohort_urls',
  owner: 'cohort_id',
  text: 'url',
  list: 'external_urls',
};
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

const table = (of: ExternalValues) => sql.table(of.table);
const owner = (of: ExternalValues) => sql.ref(`${of.table}.${of.owner}`);
const system = (of: ExternalValues) => sql.ref(`${of.table}.external_system_id`);
const text = (of: ExternalValues) => sql.ref(`${of.table}.${of.text}`);

const isLinks = (of: ExternalValues): of is Links => 'ownerTable' in of;

/** SQL for links only. */
const forLinks = (of: ExternalValues, part: (links: Links) => RawBuilder<unknown>) => (isLinks(of) ? part(of) : sql``);

const cohortOf = ({ ownerTable }: Links, ownerId: number) =>
  sql`, (select cohort_id from ${sql.table(ownerTable)} where ${sql.ref(`${ownerTable}.id`)} = ${ownerId})`;

const raiseVersion = ({ table: name }: Links) => sql`, version = ${sql.ref(`${name}.version`)} + 1`;

/** The values of one object as a subquery. */
export const externalValuesSql = (of: ExternalValues, ownerId: RawBuilder<unknown>) => sql<Record<string, string>>`(
  select coalesce(json_object_agg(external_systems.system_name, ${text(of)} order by external_systems.id), '{}')
  from ${table(of)} join external_systems on external_systems.id = ${system(of)}
  where ${owner(of)} = ${ownerId})`;

const selectValues = (of: ExternalValues) =>
  prepare<number, { values: Record<string, string> }>((bind) => {
    const ownerId = bind((id) => id);
    return sql`select ${externalValuesSql(of, ownerId)} as values`;
  });

const valuesOf = {
  cohort_urls: selectValues(cohortUrls),
  external_subject_links: selectValues(subjectIds),
  external_experiment_links: selectValues(experimentIds),
};

export async function readExternalValues(db: Db, of: ExternalValues, ownerId: number): Promise<Record<string, string>> {
  const [row] = await valuesOf[of.table](db, ownerId);
  return row?.values ?? {};
}

/** Adds or replaces values and keeps the others. A link keeps its id, and its version changes only with its value. */
export async function upsertExternalValues(
  tx: Tx,
  of: ExternalValues,
  ownerId: number,
  entries: readonly { systemId: number; text: string }[],
) {
  await sql`
    insert into ${table(of)} (${sql.ref(of.owner)}, external_system_id, ${sql.ref(of.text)}
      ${forLinks(of, () => sql`, cohort_id`)})
    select ${ownerId}, entry.system_id, entry.text ${forLinks(of, (links) => cohortOf(links, ownerId))}
    from unnest(${entries.map((entry) => entry.systemId)}::bigint[], ${entries.map((entry) => entry.text)}::text[])
      as entry (system_id, text)
    on conflict (${sql.ref(of.owner)}, external_system_id) do update
    set ${sql.ref(of.text)} = excluded.${sql.ref(of.text)} ${forLinks(of, raiseVersion)}
    where ${text(of)} <> excluded.${sql.ref(of.text)}`.execute(tx);
}

export async function deleteExternalValue(
  tx: Tx,
  of: ExternalValues,
  ownerId: number,
  systemId: number,
): Promise<void> {
  await sql`delete from ${table(of)} where ${owner(of)} = ${ownerId} and ${system(of)} = ${systemId}`.execute(tx);
}
