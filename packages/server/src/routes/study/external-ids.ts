/** The four operations on external IDs, which subjects and experiments share. */
import { values as v } from '@milepost/api';
import type { Db } from '../../database/connection.ts';
import { ok, type Answer, type Call } from '../../http/call.ts';
import type { Scope } from '../../store/scope.ts';
import { readExternalValues } from '../../store/study/external-values.ts';
import {
  addExternalValues,
  externalValuesReader,
  removeExternalValue,
  setExternalValue,
  type Owner,
} from './external-values.ts';

type IdCall = Pick<Call, 'database' | 'account' | 'author' | 'requireVersion'> & { params: { id: number } };
type SystemCall = IdCall & { params: { system_name: string } };

const readIds = externalValuesReader(v.idBySystem, '/external_ids');

export function externalIdHandlers<Row extends { id: number; version: number }, Body>(
  owner: Owner<Row, Body>,
  get: (db: Db, scope: Scope, key: { id: number }) => Promise<Row>,
) {
  return {
    add: async (call: IdCall & { body: { external_ids: Record<string, string> | string } }): Promise<Answer<Body>> => {
      const values = readIds(call.body.external_ids);
      return addExternalValues(call, owner, call.params.id, { values, pointer: '/external_ids' });
    },
    get: async ({ database, account, params }: IdCall): Promise<Answer<Body>> => {
      const row = await get(database.db, account.scope, { id: params.id });
      return ok(owner.answer(row, await readExternalValues(database.db, owner.values, row.id)), row.version);
    },
    set: async (call: SystemCall & { body: { external_id: string } }): Promise<Answer<Body>> => {
      const { id, system_name: name } = call.params;
      return setExternalValue(call, owner, id, { name, text: call.body.external_id });
    },
    delete: async (call: SystemCall): Promise<Answer<Body>> => {
      const { id, system_name: name } = call.params;
      return removeExternalValue(call, owner, id, { name, what: 'external ID' });
    },
  };
}
