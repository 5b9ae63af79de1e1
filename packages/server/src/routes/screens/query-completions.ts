/** Completion of names and values in a query (docs/decisions/0042). */
import type { queryCompletionOperations } from '@milepost/api';
import { invalid } from '../../errors.ts';
import { scopeOf } from '../../http/access/authorize.ts';
import { ok, type Call, type Handlers } from '../../http/call.ts';
import * as store from '../../store/screens/query-completions.ts';

type Request = Call<(typeof queryCompletionOperations)['getQueryCompletions']>;

export const queryCompletionHandlers: Handlers<typeof queryCompletionOperations> = {
  async getQueryCompletions(call) {
    return ok({ completions: await complete(call) });
  },
};

function complete(call: Request): Promise<store.Completion[]> {
  const { database, account, query } = call;
  const { of, key, text = '' } = query;
  if (key !== undefined) return completeKeyed(call, key);
  switch (of) {
    case 'var':
      return store.completeVariables(database.db, account.scope, text);
    case 'cohort':
      return store.completeCohorts(database.db, account.scope, text);
    case 'assigned':
      // Users who can assign experiments of a cohort already know who can read it.
      return store.completeAssignees(database.db, scopeOf(account, 'sample_update'), text);
    case 'state':
    case 'workflow':
    case 'external':
      return store.completeShared(database.db, of, text);
    default:
      return of satisfies never;
  }
}

async function completeKeyed({ database, account, query }: Request, key: string): Promise<store.Completion[]> {
  const { of, text = '' } = query;
  if (of === 'var') return store.completeValues(database.db, account.scope, key, text);
  if (of === 'external') return [];
  throw hasNoKey(of);
}

const hasNoKey = (of: string) => invalid({ pointer: '?key', detail: `\`${of}\` has no key. Leave out ?key.` });
