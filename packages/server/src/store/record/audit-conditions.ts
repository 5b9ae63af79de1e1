/** Which entries of the history match the filters of the audit log. All conditions are on a row `entry` of the history. */
import { kindOfChange, type auditedKinds, type ChangeKind } from '@milepost/api';
import { sql, type RawBuilder } from 'kysely';
import { decides } from '../experiments/resting.ts';
import { isServiceAccount } from '../people/users.ts';
import type { Scope } from '../scope.ts';

export type AuditedKind = (typeof auditedKinds)[number];

export interface AuditFilter {
  actor?: number;
  by?: 'people' | 'programs';
  kind?: ChangeKind;
  object_kind?: AuditedKind;
  object_id?: number;
  operation?: string;
  experiment_id?: number;
  subject_id?: number;
  cohort_id?: number;
  from?: string;
  to?: string;
  sign_ins?: boolean;
  parts?: boolean;
}

/** The columns of the history that the conditions read. */
export const entryColumns = sql`history.id, history.at, history.actor_kind, history.actor_id, history.operation,
  history.object_kind, history.object_id, history.chain, history.chain_id, history.before, history.after`;

export const people = sql`(select users.id from users where not ${isServiceAccount})`;

const isByPerson = sql<boolean>`(entry.actor_kind = 'user' and entry.actor_id in ${people})`;

const isFromDecision = sql<boolean>`exists (
  select from transitions join states on states.id = transitions.source_state_id
  where transitions.id = (entry.after ->> 'transition_id')::bigint and transitions.kind = 'defined' and ${decides})`;

/** The table of kinds, and what depends on the values of an entry. */
export const kindOfEntry = sql<ChangeKind>`case
  when entry.operation = 'setExperimentState' and ${isFromDecision} then 'decision'
  when entry.operation in ('endAction', 'evaluateExperiment') and entry.after ? 'state_id' then 'move'
  when entry.operation = 'signInWithProvider' and not coalesce(entry.after, entry.before) ? 'session_id' then 'access'
  else coalesce(${JSON.stringify(kindOfChange)}::jsonb ->> entry.operation, 'setting') end`;

const isSignIn = sql<boolean>`(entry.operation in ('signIn', 'signOut', 'endSession')
  or entry.operation = 'signInWithProvider' and coalesce(entry.after, entry.before) ? 'session_id')`;

/** The entries of an experiment or subject that a bulk operation or an import changed. */
const isOfOperation = (row: 'entry' | 'history') =>
  sql<boolean>`(${sql.ref(`${row}.chain`)} in ('experiment', 'subject')
    and ${sql.ref(`${row}.after`)} ?| '{bulk_operation_id,import_id}')`;

/** Has an index. */
export const isNotOfOperation = sql<boolean>`${isOfOperation('history')} is not true`;

const areUndefined = (...values: unknown[]): boolean => values.every((value) => value === undefined);

/** Whether the search can find the entry of the subject. It has the kind and operation of its parts, but another time. */
const findsSubjects = ({ experiment_id, object_kind, from, to }: AuditFilter): boolean =>
  areUndefined(experiment_id, object_kind, from, to);

/** The same for the entry of a workflow or callback, which belongs to no cohort. */
const findsDefinitions = (filter: AuditFilter, seesAll: boolean): boolean =>
  seesAll && findsSubjects(filter) && filter.subject_id === undefined;

/** The same for the entry of a bulk operation or import, which has another kind and operation than its parts. */
const findsOperations = (filter: AuditFilter, seesAll: boolean): boolean =>
  findsDefinitions(filter, seesAll) && areUndefined(filter.kind, filter.operation);

/** No part of a bulk operation or import has one of these kinds. */
const kindsOfWholes: ReadonlySet<ChangeKind | undefined> = new Set([
  'access',
  'bulk',
  'import',
  'setting',
  'sign_in',
  'workflow',
] as const);

/** Whether the search leaves out all parts of bulk operations and imports. */
export const omitsOperationParts = (filter: AuditFilter, seesAll: boolean): boolean =>
  filter.parts === false &&
  (findsOperations(filter, seesAll) ||
    kindsOfWholes.has(filter.kind) ||
    kindsOfWholes.has(kindOfChange[filter.operation ?? '']));

/**
 * Another entry that the search can find stands for the whole change: that of the bulk operation, the import, the subject or the
 * workflow. An action that ends without an incident is part of the run that ended it or of the move that follows.
 */
function isPart(filter: AuditFilter, seesAll: boolean): RawBuilder<boolean> {
  const findsSubject = sql.lit(findsSubjects(filter));
  const findsDefinition = sql.lit(findsDefinitions(filter, seesAll));
  return sql<boolean>`(${sql.lit(findsOperations(filter, seesAll))} and ${isOfOperation('entry')} or case entry.operation
    when 'withdrawSubject' then ${findsSubject} and entry.object_kind = 'experiment'
    when 'eraseSubject' then ${findsSubject} and entry.object_kind = 'experiment'
    when 'importWorkflow' then ${findsDefinition} and entry.object_kind <> 'workflow'
    when 'updateCallback' then ${findsDefinition} and entry.object_kind = 'workflow'
    when 'endAction' then not entry.after ?| '{state_id,incident}'
    when 'signIn' then entry.after is null
    when 'signInWithProvider' then entry.after is null
    when 'deleteUser' then entry.before ? 'private_views'
    else false end)`;
}

export const inChain = (chain: string, id: number) => sql`entry.chain = ${chain} and entry.chain_id = ${id}`;

const ofSubject = (id: number) => sql`(${inChain('subject', id)} or entry.chain = 'experiment' and entry.chain_id in (
  select experiments.id from experiments where experiments.subject_id = ${id}))`;

export function matchesFilter(filter: AuditFilter, seesAll: boolean): RawBuilder<unknown> {
  const conditions = [
    filter.actor !== undefined && sql`entry.actor_kind = 'user' and entry.actor_id = ${filter.actor}`,
    filter.by === 'people' && isByPerson,
    filter.by === 'programs' && sql`not ${isByPerson}`,
    filter.object_kind !== undefined && sql`entry.object_kind = ${filter.object_kind}`,
    filter.object_id !== undefined && sql`entry.object_id = ${filter.object_id}`,
    filter.operation !== undefined && sql`entry.operation = ${filter.operation}`,
    filter.experiment_id !== undefined && inChain('experiment', filter.experiment_id),
    filter.subject_id !== undefined && ofSubject(filter.subject_id),
    filter.cohort_id !== undefined && inChain('cohort', filter.cohort_id),
    filter.from !== undefined && sql`entry.at >= ${filter.from}::timestamptz`,
    filter.to !== undefined && sql`entry.at < ${filter.to}::timestamptz`,
    filter.sign_ins === false && sql`not ${isSignIn}`,
    filter.parts === false && sql`not coalesce(${isPart(filter, seesAll)}, false)`,
    filter.kind !== undefined && sql`${kindOfEntry} = ${filter.kind}`,
  ].filter((condition) => condition !== false);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** Entries that belong to no cohort are only visible with access to all cohorts. */
export const isVisible = (scope: Scope): RawBuilder<unknown> =>
  scope.kind === 'all'
    ? sql`true`
    : sql`case entry.chain
        when 'experiment' then (select experiments.cohort_id from experiments where experiments.id = entry.chain_id)
        when 'subject' then (select subjects.cohort_id from subjects where subjects.id = entry.chain_id)
        when 'cohort' then entry.chain_id
      end = any(${[...scope.ids]}::bigint[])`;
