/** API tokens (docs/decisions/0030). */
import { maxTokenDays, maxTokens, tokenPrefix, type Permission, type tokenOperations } from '@milepost/api';
import type { Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { invalid, Problem } from '../../errors.ts';
import { loadAccount } from '../../http/access/accounts.ts';
import { scopeOf } from '../../http/access/authorize.ts';
import { created, ok, type Account, type Handlers } from '../../http/call.ts';
import { createToken, hashToken } from '../../http/access/session-cookie.ts';
import { recordChange } from '../../store/record/record-change.ts';
import * as tokens from '../../store/people/tokens.ts';
import { getUser, lockUser } from '../../store/people/users.ts';
import { listAnswer } from '../lists.ts';
import { rejectMorePrivileged } from './people.ts';
import { requireReauthentication, type SignInServices } from './require-reauthentication.ts';

export const tokenHandlers: Handlers<typeof tokenOperations, SignInServices> = {
  async listApiTokens({ database, params, query }) {
    await getUser(database.db, params.id);
    return listAnswer('tokens', await tokens.listTokens(database, params.id, query), showToken);
  },

  async createApiToken(call) {
    validateExpiry(call.body.expires_at);
    // A token outlasts the session that creates it, and a change of the password.
    await requireReauthentication(call, call.body.current_password, 'create an API token');
    const token = tokenPrefix + createToken();
    const row = await inTransaction(call.database.db, (tx) => addToken(tx, call, hashToken(token)));
    return created({ ...showToken(row), token });
  },

  async revokeApiToken({ database, params, author }) {
    const row = await inTransaction(database.db, async (tx) => {
      const revoked = await tokens.revokeToken(tx, params.id, params.token_id);
      const before = { token_id: revoked.id, name: revoked.name };
      await recordChange(tx, author, { objectKind: 'user', objectId: params.id, before, after: null });
      return revoked;
    });
    return ok(showToken(row));
  },
};

type CreateCall = Parameters<(typeof tokenHandlers)['createApiToken']>[0];

/** Locks the owner against concurrent changes, deactivation and new tokens. */
async function addToken(tx: Tx, { params, body, account, author }: CreateCall, hash: Buffer): Promise<tokens.TokenRow> {
  const { id, active } = await lockUser(tx, params.id);
  if (id !== account.id) await rejectMorePrivileged(tx, account, id);
  if (!active)
    throw new Problem('account_inactive', 'This account is deactivated. Activate it before you create a token.');
  rejectMissingPermissions(await loadAccount(tx, id), body.permissions);
  if ((await tokens.countOpenTokens(tx, id)) >= maxTokens) {
    throw new Problem(
      'too_many_tokens',
      `This account has ${maxTokens} active tokens. Revoke one that you no longer need.`,
    );
  }
  const { name, permissions, expires_at } = body;
  const row = await tokens.insertToken(tx, { user_id: id, token_hash: hash, name, permissions, expires_at });
  // The history records the token's name and permissions, but not its value.
  const after = { token_id: row.id, name, permissions, expires_at: row.expires_at };
  await recordChange(tx, author, { objectKind: 'user', objectId: id, before: null, after });
  return row;
}

/** For all cohorts or in some. */
const hasInAnyCohort = (owner: Account, permission: Permission): boolean => {
  const scope = scopeOf(owner, permission);
  return scope.kind === 'all' || scope.ids.length > 0;
};

function rejectMissingPermissions(owner: Account, wanted: CreateCall['body']['permissions']): void {
  const faults = wanted.flatMap((permission, index) =>
    hasInAnyCohort(owner, permission)
      ? []
      : [
          {
            pointer: `/permissions/${index}`,
            detail: `The owner of the token does not have the permission \`${permission}\`.`,
          },
        ],
  );
  const [first] = faults;
  if (first) throw new Problem('not_allowed', first.detail, { faults });
}

const dayMs = 86_400_000;

function validateExpiry(expiresAt: string): void {
  const ahead = Date.parse(expiresAt) - Date.now();
  if (ahead > 0 && ahead <= maxTokenDays * dayMs) return;
  const detail = `/expires_at must be in the future, at most ${maxTokenDays} days from now, but is ${expiresAt}.`;
  throw invalid({ pointer: '/expires_at', detail });
}

const showToken = (row: tokens.TokenRow) => ({
  id: row.id,
  name: row.name,
  permissions: row.permissions,
  created_at: row.created_at,
  expires_at: row.expires_at,
  last_used_at: row.last_used_at,
  revoked_at: row.revoked_at,
});
