/** Checks in one statement which of the objects that a request names exist and are in the caller's scope. */
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database/connection.ts';
import { experimentInScope, inScope, type Scope } from './scope.ts';

const ofEveryone = sql<boolean>`true`;

/** The table of each kind, and the condition that a row is in the scope. Rows of these tables are never deleted. */
const kinds = {
  cohort: { table: 'cohorts', visible: (scope: Scope) => inScope(scope, 'cohorts.id') },
  subject: { table: 'subjects', visible: (scope: Scope) => inScope(scope, 'subjects.cohort_id') },
  experiment: { table: 'experiments', visible: (scope: Scope) => inScope(scope, 'experiments.cohort_id') },
  action: { table: 'actions', visible: (scope: Scope) => experimentInScope(scope, sql.ref('actions.experiment_id')) },
  callback_execution: {
    table: 'callback_executions',
    visible: (scope: Scope) =>
      experimentInScope(
        scope,
        sql`(select actions.experiment_id from actions where actions.id = callback_executions.action_id)`,
      ),
  },
  workflow: { table: 'workflows', visible: () => ofEveryone },
  state: { table: 'states', visible: () => ofEveryone },
  callback: { table: 'callbacks', visible: () => ofEveryone },
  external_system: { table: 'external_systems', visible: () => ofEveryone },
  scantype: { table: 'scantypes', visible: () => ofEveryone },
  user: { table: 'users', visible: () => ofEveryone },
  role: { table: 'roles', visible: () => ofEveryone },
} satisfies Record<string, { table: string; visible: (scope: Scope) => RawBuilder<boolean> }>;

export type NamedKind = keyof typeof kinds;

export const isNamedKind = (kind: string): kind is NamedKind => Object.hasOwn(kinds, kind);

export interface NamedObject {
  kind: NamedKind;
  id: number;
}

/** The objects that do not exist or are outside the scope, in the given order. */
export async function findUnknown<O extends NamedObject>(db: Db, scope: Scope, objects: readonly O[]): Promise<O[]> {
  if (objects.length === 0) return [];
  const known = objects.map(({ kind, id }) => {
    const { table, visible } = kinds[kind];
    return sql`exists (select from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${id} and ${visible(scope)})`;
  });
  const { rows } = await sql<{ known: boolean[] }>`select array[${sql.join(known)}] as known`.execute(db);
  return objects.filter((_, index) => rows[0]?.known[index] !== true);
}
