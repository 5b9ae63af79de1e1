/** Saved mappings of the columns of spreadsheets. The history has only ids, because a header can contain anything. */
import type { importOperations, SavedMapping } from '@milepost/api';
import type { Static } from 'typebox';
import type { Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { notFound, Problem } from '../../errors.ts';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import { recordChange } from '../../store/record/record-change.ts';
import { screenPage } from '../../store/screens/screen-page.ts';
import * as mappings from '../../store/spreadsheets/import-mappings.ts';
import { getCohort, lockCohort } from '../../store/study/cohorts.ts';
import { rejectInvalidColumns } from './read-mapping.ts';
import { maxMappings } from './receive-file.ts';

export type MappingOperation = 'listImportMappings' | 'saveImportMapping' | 'deleteImportMapping';

export const importMappingHandlers: Pick<Handlers<typeof importOperations>, MappingOperation> = {
  async listImportMappings({ database: { db }, account, params, query }) {
    await getCohort(db, account.scope, { id: params.id });
    const page = screenPage(query, maxMappings);
    const found = await mappings.listMappings(db, params.id, { ...page, limit: page.limit + 1 });
    const rows = found.slice(0, page.limit);
    const next = () => (found.length > page.limit ? rows.at(-1)?.id : undefined);
    return { ...ok({ mappings: rows.map(showMapping) }), next };
  },

  async saveImportMapping(call) {
    const { database, account, params, body } = call;
    rejectInvalidColumns(body.columns);
    const saved = await inTransaction(database.db, async (tx) => {
      await lockCohort(tx, account.scope, params.id);
      const stored = await mappings.findMapping(tx, params.id, params.name);
      if (!stored) await requireFewMappings(tx, params.id);
      await mappings.saveMapping(tx, { cohortId: params.id, ...params, columns: body.columns, userId: account.id });
      const row = await getMapping(tx, params.id, params.name);
      await record(tx, call, { import_mapping_id: row.id, cohort_id: params.id });
      return row;
    });
    return ok(showMapping(saved));
  },

  async deleteImportMapping(call) {
    const { database, account, params } = call;
    const gone = await inTransaction(database.db, async (tx) => {
      await lockCohort(tx, account.scope, params.id);
      const row = await getMapping(tx, params.id, params.name);
      await mappings.deleteMapping(tx, row.id);
      await record(tx, call, { import_mapping_id: row.id, deleted: true });
      return row;
    });
    return ok(showMapping(gone));
  },
};

async function getMapping(tx: Tx, cohortId: number, name: string): Promise<mappings.MappingRow> {
  const found = await mappings.findMapping(tx, cohortId, name);
  if (!found) throw notFound(`mapping "${name}" of this cohort`);
  return found;
}

async function requireFewMappings(tx: Tx, cohortId: number): Promise<void> {
  const stored = await mappings.listMappings(tx, cohortId, { limit: maxMappings });
  if (stored.length === maxMappings)
    throw new Problem('too_many_mappings', `The cohort has ${maxMappings} saved mappings. Remove one first.`);
}

const record = (tx: Tx, { author, account }: Pick<Call, 'author' | 'account'>, after: object) =>
  recordChange(tx, author, { objectKind: 'user', objectId: account.id, before: null, after });

const showMapping = (row: mappings.MappingRow): Static<typeof SavedMapping> => ({
  id: row.id,
  name: row.name,
  columns: row.columns,
  changed_by: { id: row.changed_by, name: row.changed_by_name },
  changed_at: row.changed_at,
});
