/** Reads the stored values of the subjects and experiments in some lines of a spreadsheet. */
import { sql } from 'kysely';
import type { Tx } from '../../database/connection.ts';
import { variablesSql } from '../experiments/experiments.ts';
import { experimentIds, externalValuesSql, subjectIds } from '../study/external-values.ts';

export interface StoredSubject {
  id: number;
  label: string;
  date_of_birth: string | null;
  withdrawn: boolean;
  external_ids: Record<string, string>;
  experiments: Map<string, StoredExperiment>;
}

export interface StoredExperiment {
  id: number;
  subject_id: number;
  label: string;
  scandate: string | null;
  state: string;
  external_ids: Record<string, string>;
  variables: Record<string, unknown>;
  scantype_ids: number[];
}

export interface StoredValues {
  subjects: ReadonlyMap<string, StoredSubject>;
  /** The ids of external systems by name. */
  systems: ReadonlyMap<string, number>;
  /** The ids of scan types by protocol. */
  scantypes: ReadonlyMap<string, number>;
  /** The subject or experiment of the cohort that has an external ID. */
  ownerOf: (kind: 'subject' | 'experiment', system: string, externalId: string) => Owner | undefined;
}

export interface Owner {
  subject: string;
  /** Undefined if it is the subject. */
  experiment?: string;
}

export interface WantedNames {
  subject: string;
  experiment: string | null;
  subjectIds: readonly { name: string; value: string }[];
  experimentIds: readonly { name: string; value: string }[];
  scans: readonly string[];
}

/** `locks`: the subjects and experiments are locked until the end of the transaction, in the order of ids. */
export async function readStored(
  tx: Tx,
  cohortId: number,
  lines: readonly WantedNames[],
  { locks }: { locks: boolean },
): Promise<StoredValues> {
  const subjects = await readSubjects(tx, cohortId, [...new Set(lines.map(({ subject }) => subject))], locks);
  const byLabel = new Map(subjects.map((subject) => [subject.label, { ...subject, experiments: new Map() }]));
  await addExperiments(tx, byLabel, lines, locks);
  const systems = await readSystems(tx, lines);
  const owners = {
    subject: await readOwners(tx, cohortId, 'subject', systems, lines),
    experiment: await readOwners(tx, cohortId, 'experiment', systems, lines),
  };
  return {
    subjects: byLabel,
    systems,
    scantypes: lines.some(({ scans }) => scans.length > 0) ? await readScantypes(tx) : new Map(),
    ownerOf: (kind, system, externalId) => owners[kind].get(keyOf(system, externalId)),
  };
}

const lockSql = (locks: boolean, table: string) => (locks ? sql`for no key update of ${sql.table(table)}` : sql``);

async function readSubjects(tx: Tx, cohortId: number, labels: readonly string[], locks: boolean) {
  if (locks) {
    await sql`select from subjects where subjects.cohort_id = ${cohortId} and subjects.label = any(${[...labels]}::text[])
      order by subjects.id ${lockSql(locks, 'subjects')}`.execute(tx);
  }
  const { rows } = await sql<Omit<StoredSubject, 'experiments'>>`
    select subjects.id, subjects.label, subjects.date_of_birth, subjects.withdrawn_at is not null as withdrawn,
      ${externalValuesSql(subjectIds, sql.ref('subjects.id'))} as external_ids
    from subjects where subjects.cohort_id = ${cohortId} and subjects.label = any(${[...labels]}::text[])`.execute(tx);
  return rows;
}

async function addExperiments(
  tx: Tx,
  subjects: ReadonlyMap<string, StoredSubject>,
  lines: readonly WantedNames[],
  locks: boolean,
): Promise<void> {
  const wanted = lines.flatMap(({ subject, experiment }) => {
    const id = subjects.get(subject)?.id;
    return id === undefined || experiment === null ? [] : [{ id, experiment }];
  });
  if (wanted.length === 0) return;
  const given = sql`unnest(${wanted.map(({ id }) => id)}::bigint[], ${wanted.map(({ experiment }) => experiment)}::text[])
    as given (subject_id, label)`;
  const matches = sql`experiments.subject_id = given.subject_id and experiments.label = given.label collate "C"`;
  if (locks) {
    await sql`select from experiments join ${given} on ${matches} order by experiments.id ${lockSql(locks, 'experiments')}`.execute(
      tx,
    );
  }
  const { rows } = await sql<StoredExperiment>`
    select experiments.id, experiments.subject_id, experiments.label, experiments.scandate, states.label as state,
      ${externalValuesSql(experimentIds, sql.ref('experiments.id'))} as external_ids,
      ${variablesSql(sql.ref('experiments.id'))} as variables,
      array_to_json(array(select scans.scantype_id from scans where scans.experiment_id = experiments.id)) as scantype_ids
    from experiments join ${given} on ${matches} join states on states.id = experiments.state_id`.execute(tx);
  const byId = new Map([...subjects.values()].map((subject) => [subject.id, subject]));
  for (const row of rows) byId.get(row.subject_id)?.experiments.set(row.label, row);
}

async function readSystems(tx: Tx, lines: readonly WantedNames[]): Promise<Map<string, number>> {
  const names = new Set(lines.flatMap((line) => [...line.subjectIds, ...line.experimentIds].map(({ name }) => name)));
  if (names.size === 0) return new Map();
  const { rows } = await sql<{ id: number; system_name: string }>`
    select id, system_name from external_systems where system_name = any(${[...names]}::text[])`.execute(tx);
  return new Map(rows.map(({ id, system_name: name }) => [name, id]));
}

async function readScantypes(tx: Tx): Promise<Map<string, number>> {
  const rows = await tx.selectFrom('scantypes').select(['id', 'protocol']).execute();
  return new Map(rows.map(({ id, protocol }) => [protocol, id]));
}

const keyOf = (system: string, externalId: string) => `${system}\n${externalId}`;

const linkTables = {
  subject: {
    links: 'external_subject_links',
    of: 'subjectIds',
    joins: sql`join subjects on subjects.id = external_subject_links.subject_id`,
    owner: sql<Owner>`json_build_object('subject', subjects.label)`,
  },
  experiment: {
    links: 'external_experiment_links',
    of: 'experimentIds',
    joins: sql`join experiments on experiments.id = external_experiment_links.experiment_id
      join subjects on subjects.id = experiments.subject_id`,
    owner: sql<Owner>`json_build_object('subject', subjects.label, 'experiment', experiments.label)`,
  },
} as const;

async function readOwners(
  tx: Tx,
  cohortId: number,
  kind: 'subject' | 'experiment',
  systems: ReadonlyMap<string, number>,
  lines: readonly WantedNames[],
): Promise<Map<string, Owner>> {
  const { links, of, joins, owner } = linkTables[kind];
  const wanted = lines.flatMap((line) => line[of]).filter(({ name }) => systems.has(name));
  if (wanted.length === 0) return new Map();
  const link = (column: string) => sql.ref(`${links}.${column}`);
  const { rows } = await sql<{ name: string; external_id: string; owner: Owner }>`
    select given.name, given.external_id, ${owner} as owner
    from unnest(${wanted.map(({ name }) => name)}::text[], ${wanted.map(({ name }) => systems.get(name))}::bigint[],
        ${wanted.map(({ value }) => value)}::text[]) as given (name, system_id, external_id)
    join ${sql.table(links)} on ${link('external_system_id')} = given.system_id
      and left(${link('external_id')}, 255) = left(given.external_id, 255) collate "C"
      and ${link('external_id')} = given.external_id collate "C" and ${link('cohort_id')} = ${cohortId}
    ${joins}`.execute(tx);
  return new Map(rows.map((row) => [keyOf(row.name, row.external_id), row.owner]));
}
