/** API tokens (docs/decisions/0030). */
import { maxTokenDays, maxTokens, tokenPrefix, type Permission, type tokenOperations } from '@milepost/api';
import type { Db, Tx } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { invalid, Problem } from '../errors.ts';
import type { Usage } from '../http/authenticate.ts';
import { scopeOf } from '../http/authorize.ts';
import { created, ok, type Account, type Handlers } from '../http/call.ts';
import { createToken, hashToken } from '../http/session-cookie.ts';
import { recordChange } from '../store/record-change.ts';
import * as tokens from '../store/tokens.ts';
import { getUser, lockUser } from '../store/users.ts';
import { listAnswer } from './lists.ts';
import { loadAccount, rejectMorePrivileged, toAccount } from './people.ts';
import { requireReauthentication } from './require-reauthentication.ts';

export const tokenHandlers: Handlers<typeof tokenOperations> = {
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

const showToken = ({ permissions, ...row }: tokens.TokenRow) => ({
  id: row.id,
  name: row.name,
  permissions: permissions as CreateCall['body']['permissions'],
  created_at: row.created_at,
  expires_at: row.expires_at,
  last_used_at: row.last_used_at,
  revoked_at: row.revoked_at,
});

/** The account of a token, with the permissions that both have. Records the use of the token at most once a minute. */
export async function findTokenAccount(db: Db, tokenHash: Buffer, { isUse }: Usage = { isUse: true }) {
  const row = await tokens.findTokenAccount(db, tokenHash);
  if (!row) return undefined;
  rejectEnded(row);
  if (row.lastUseIsStale && isUse) await tokens.recordTokenUse(db, row.token_id);
  const owner = toAccount(row);
  const token = { id: row.token_id, name: row.token_name, expiresAt: row.expires_at };
  return { ...narrow(owner, new Set(row.token_permissions)), token };
}

/** Keeps the permissions of the owner, for all cohorts and in individual cohorts, that the token also has. */
const narrow = (owner: Account, allowed: ReadonlySet<string>): Account => ({
  ...owner,
  permissions: common(owner.permissions, allowed),
  cohortRoles: owner.cohortRoles.map((held) => ({ ...held, permissions: common(held.permissions, allowed) })),
});

const common = (held: ReadonlySet<Permission>, allowed: ReadonlySet<string>): ReadonlySet<Permission> =>
  new Set([...held].filter((permission) => allowed.has(permission)));

/** The reason can be shown, because the caller has the token. */
function rejectEnded({ active, revoked_at, expired, expires_at }: tokens.TokenAccountRow): void {
  if (!active) throw new Problem('token_ended', 'The account of this token is deactivated.');
  if (revoked_at !== null) throw new Problem('token_ended', `This token was revoked at ${revoked_at}.`);
  if (expired) throw new Problem('token_ended', `This token expired at ${expires_at}. Create a new one.`);
}
