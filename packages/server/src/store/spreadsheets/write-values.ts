/** Writes what the lines of a spreadsheet add, many rows with one statement. The caller has locked what exists. */
import { sql } from 'kysely';
import type { Tx } from '../../database/connection.ts';

export interface NewSubject {
  label: string;
  cohort_id: number;
  date_of_birth: string | null;
}

/** Returns the ids by label. */
export async function insertSubjects(tx: Tx, subjects: readonly NewSubject[]): Promise<Map<string, number>> {
  if (subjects.length === 0) return new Map();
  const rows = await tx
    .insertInto('subjects')
    .values([...subjects])
    .returning(['id', 'label'])
    .execute();
  return new Map(rows.map(({ id, label }) => [label, id]));
}

export interface NewLink {
  ownerId: number;
  systemId: number;
  externalId: string;
}

const linkTables = {
  subject: { table: 'external_subject_links', owner: 'subject_id' },
  experiment: { table: 'external_experiment_links', owner: 'experiment_id' },
} as const;

export async function insertLinks(
  tx: Tx,
  kind: 'subject' | 'experiment',
  cohortId: number,
  links: readonly NewLink[],
): Promise<void> {
  if (links.length === 0) return;
  const { table, owner } = linkTables[kind];
  await sql`
    insert into ${sql.table(table)} (${sql.ref(owner)}, cohort_id, external_system_id, external_id)
    select given.owner_id, ${cohortId}::bigint, given.system_id, given.external_id
    from unnest(${links.map(({ ownerId }) => ownerId)}::bigint[], ${links.map(({ systemId }) => systemId)}::bigint[],
      ${links.map(({ externalId }) => externalId)}::text[]) as given (owner_id, system_id, external_id)`.execute(tx);
}

export interface NewScan {
  experiment_id: number;
  cohort_id: number;
  scantype_id: number;
}

/** Returns the ids in the order of the scans. */
export async function insertScans(tx: Tx, scans: readonly NewScan[]): Promise<number[]> {
  if (scans.length === 0) return [];
  const of = (name: keyof NewScan) => scans.map((scan) => scan[name]);
  const { rows } = await sql<{ id: number }>`
    insert into scans (experiment_id, cohort_id, scantype_id)
    select given.experiment_id, given.cohort_id, given.scantype_id
    from unnest(${of('experiment_id')}::bigint[], ${of('cohort_id')}::bigint[], ${of('scantype_id')}::bigint[]) with ordinality
      as given (experiment_id, cohort_id, scantype_id, place)
    order by given.place returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

export interface NewVariable {
  experiment_id: number;
  name: string;
  value: unknown;
}

/** A variable without a value, null, gets this one. Arrays, because a set can have more values than a statement has parameters. */
export async function insertVariables(tx: Tx, variables: readonly NewVariable[]): Promise<void> {
  if (variables.length === 0) return;
  await sql`
    insert into experiment_variables (experiment_id, name, value)
    select given.experiment_id, given.name, given.value
    from unnest(${variables.map((one) => one.experiment_id)}::bigint[], ${variables.map(({ name }) => name)}::text[],
      ${variables.map(({ value }) => JSON.stringify(value))}::jsonb[]) as given (experiment_id, name, value)
    on conflict (experiment_id, name) do update set value = excluded.value`.execute(tx);
}

/** Sets dates, and raises the versions of these subjects and of their experiments, because their conditions read the subject. */
export async function updateSubjects(
  tx: Tx,
  subjects: readonly { id: number; dateOfBirth: string | null }[],
): Promise<void> {
  if (subjects.length === 0) return;
  const ids = subjects.map(({ id }) => id);
  await sql`
    update subjects set date_of_birth = coalesce(given.date_of_birth, subjects.date_of_birth), version = subjects.version + 1
    from unnest(${ids}::bigint[], ${subjects.map(({ dateOfBirth }) => dateOfBirth)}::date[]) as given (id, date_of_birth)
    where subjects.id = given.id`.execute(tx);
  await sql`update experiments set version = version + 1 where subject_id = any(${ids}::bigint[])`.execute(tx);
}

/** Sets scan dates, and raises the versions. */
export async function updateExperiments(
  tx: Tx,
  experiments: readonly { id: number; scanDate: string | null }[],
): Promise<void> {
  if (experiments.length === 0) return;
  await sql`
    update experiments set scandate = coalesce(given.scandate, experiments.scandate), version = experiments.version + 1
    from unnest(${experiments.map(({ id }) => id)}::bigint[], ${experiments.map(({ scanDate }) => scanDate)}::timestamp[])
      as given (id, scandate)
    where experiments.id = given.id`.execute(tx);
}
