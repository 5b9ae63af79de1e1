/**
 * What a reference in a body may mean: by id, by label or name, or by several of them that have to agree. Labels of subjects
 * and experiments are unique in their parent only, so there may be more than one.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database/connection.ts';
import { inScope, type Scope } from './scope.ts';

export type ReferenceKey = { id: number } | { label: string };

export interface Candidate {
  id: number;
  label: string;
  /** Of what has a label in its parent only: the label of the parent. */
  parent?: string;
}

/** Enough to show in a refusal, and one to see that there are more: a label such as `baseline` may be that of millions. */
export const mostCandidates = 20;

const fits = (id: string, label: string, keys: readonly ReferenceKey[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(
    keys.map((key) => ('id' in key ? sql`${sql.ref(id)} = ${key.id}` : sql`${sql.ref(label)} = ${key.label}`)),
    sql` and `,
  )}`;

/**
 * In the order of the index on labels, which is then read no further than the candidates that are shown. That of experiments
 * knows their labels in small letters, so it is searched with those, and the label itself is compared.
 */
export const findExperimentsReferredTo = (db: Db, scope: Scope, keys: readonly ReferenceKey[]): Promise<Candidate[]> =>
  db
    .selectFrom('experiments')
    .innerJoin('subjects', 'subjects.id', 'experiments.subject_id')
    .select(['experiments.id', 'experiments.label', 'subjects.label as parent'])
    .where(fits('experiments.id', 'experiments.label', keys))
    .where(indexed(keys))
    .where(inScope(scope, 'experiments.cohort_id'))
    .orderBy(sql`lower(experiments.label)`)
    .orderBy('experiments.id')
    .limit(mostCandidates + 1)
    .execute();

const indexed = (keys: readonly ReferenceKey[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.join(
    keys.map((key) =>
      'id' in key ? sql`true` : sql`lower(experiments.label) = lower(${key.label}::text collate "C")`,
    ),
    sql` and `,
  )}`;

export const findSubjectsReferredTo = (db: Db, scope: Scope, keys: readonly ReferenceKey[]): Promise<Candidate[]> =>
  db
    .selectFrom('subjects')
    .innerJoin('cohorts', 'cohorts.id', 'subjects.cohort_id')
    .select(['subjects.id', 'subjects.label', 'cohorts.label as parent'])
    .where(fits('subjects.id', 'subjects.label', keys))
    .where(inScope(scope, 'subjects.cohort_id'))
    .orderBy('subjects.label')
    .orderBy('subjects.cohort_id')
    .limit(mostCandidates + 1)
    .execute();

export const findSystemsReferredTo = (db: Db, keys: readonly ReferenceKey[]): Promise<Candidate[]> =>
  db
    .selectFrom('external_systems')
    .select(['external_systems.id', 'external_systems.system_name as label'])
    .where(fits('external_systems.id', 'external_systems.system_name', keys))
    .execute();

export const findScantypesReferredTo = (db: Db, keys: readonly ReferenceKey[]): Promise<Candidate[]> =>
  db
    .selectFrom('scantypes')
    .select(['scantypes.id', 'scantypes.protocol as label'])
    .where(fits('scantypes.id', 'scantypes.protocol', keys))
    .execute();
