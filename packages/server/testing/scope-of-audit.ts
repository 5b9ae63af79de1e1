/** Calls the store functions of the audit log with a scope, for the test of all of them. Each returns the ids that are visible. */
import { sql } from 'kysely';
import type { Database } from '../src/database/connection.ts';
import { isVisible } from '../src/store/record/audit-conditions.ts';
import type { AuditRow } from '../src/store/record/audit-entries.ts';
import { readAuditNames } from '../src/store/record/audit-names.ts';
import { listAuditIds } from '../src/store/record/audit.ts';
import type { Scope } from '../src/store/scope.ts';

type Read = (scope: Scope, id: number) => Promise<number[]>;

/** Entries 1 and 2 belong to experiments, 3 and 4 to subjects, 5 and 6 to cohorts. Each pair is mapped to cohorts 1 and 2. */
const kinds = ['experiment', 'subject', 'cohort'] as const;
const wholeAudit = { before: 1000, limit: 10, scanLimit: 100 };

export const readsOfAudit = (database: () => Database): Record<string, Read[]> => ({
  listAuditIds: kinds.map((object_kind, index) => async (scope) => {
    const { ids } = await listAuditIds(database().db, scope, { object_kind }, wholeAudit);
    return ids.map((id) => id - 2 * index).toReversed();
  }),
  isVisible: kinds.map((chain) => async (scope) => {
    const { rows } = await sql<{ id: number }>`
      select entry.chain_id::int as id from history as entry where entry.chain = ${chain} and ${isVisible(scope)}
      order by entry.chain_id`.execute(database().db);
    return rows.map(({ id }) => id);
  }),
  readAuditNames: kinds.map((kind) => async (scope, id) => {
    const entry = {
      object_kind: kind,
      object_id: id,
      before: null,
      after: { [`${kind}_id`]: id },
    } as unknown as AuditRow;
    return (await readAuditNames(database().db, scope, [entry])).map((name) => name.id);
  }),
});
