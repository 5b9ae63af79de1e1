/**
 * Finds the rows that a reference in a request can mean: by id, by label or name, or by both, which must agree. Labels of
 * subjects, experiments and states are only unique within their parent, so there can be several candidates.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database/connection.ts';
import { inScope, type Scope } from './scope.ts';

export type ReferenceKey = { id: number } | { label: string };

export interface Candidate {
  id: number;
  label: string;
  /** The label of the parent, if labels are only unique within it. */
  parent?: string;
}

/** Enough for an error message. Millions of experiments can have a label such as `baseline`. */
export const maxCandidates = 20;

const matches = (id: string, label: string, keys: readonly ReferenceKey[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(
    keys.map((key) => ('id' in key ? sql`${sql.ref(id)} = ${key.id}` : sql`${sql.ref(label)} = ${key.label}`)),
    sql` and `,
  )}`;

/**
 * Ordered like the index on labels, so that only the candidates are read. The index of experiments is on lower(label), so the
 * query compares that as well as the label itself.
 */
export const findReferencedExperiments = (db: Db, scope: Scope, keys: readonly ReferenceKey[]): Promise<Candidate[]> =>
  db
    .selectFrom('experiments')
    .innerJoin('subjects', 'subjects.id', 'experiments.subject_id')
    .select(['experiments.id', 'experiments.label', 'subjects.label as parent'])
    .where(matches('experiments.id', 'experiments.label', keys))
    .where(matchesIndex(keys))
    .where(inScope(scope, 'experiments.cohort_id'))
    .orderBy(sql`lower(experiments.label)`)
    .orderBy('experiments.id')
    .limit(maxCandidates + 1)
    .execute();

const matchesIndex = (keys: readonly ReferenceKey[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(
    keys.map((key) =>
      'id' in key ? sql`true` : sql`lower(experiments.label) = lower(${key.label}::text collate "C")`,
    ),
    sql` and `,
  )}`;

/** Returns every match, because a filter needs all of them. There is at most one in each cohort. */
export const findReferencedSubjects = (db: Db, scope: Scope, keys: readonly ReferenceKey[]): Promise<Candidate[]> =>
  db
    .selectFrom('subjects')
    .innerJoin('cohorts', 'cohorts.id', 'subjects.cohort_id')
    .select(['subjects.id', 'subjects.label', 'cohorts.label as parent'])
    .where(matches('subjects.id', 'subjects.label', keys))
    .where(inScope(scope, 'subjects.cohort_id'))
    .orderBy('subjects.label')
    .orderBy('subjects.cohort_id')
    .execute();

/** Returns every match. There is at most one in each workflow. */
export const findReferencedStates = (db: Db, keys: readonly ReferenceKey[]): Promise<Candidate[]> =>
  db
    .selectFrom('states')
    .innerJoin('workflows', 'workflows.id', 'states.workflow_id')
    .select(['states.id', 'states.label', 'workflows.label as parent'])
    .where(matches('states.id', 'states.label', keys))
    .orderBy('states.id')
    .execute();

export const findReferencedSystems = (db: Db, keys: readonly ReferenceKey[]): Promise<Candidate[]> =>
  db
    .selectFrom('external_systems')
    .select(['external_systems.id', 'external_systems.system_name as label'])
    .where(matches('external_systems.id', 'external_systems.system_name', keys))
    .execute();

export const findReferencedScantypes = (db: Db, keys: readonly ReferenceKey[]): Promise<Candidate[]> =>
  db
    .selectFrom('scantypes')
    .select(['scantypes.id', 'scantypes.protocol as label'])
    .where(matches('scantypes.id', 'scantypes.protocol', keys))
    .execute();
