/** Tokens of accounts: ours, beyond the specification (docs/decisions/0030). */
import { longestTokenDays, mostTokens, tokenPrefix, type Permission, type tokenOperations } from '@milepost/api';
import type { Db, Tx } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { invalid, Problem } from '../errors.ts';
import type { Asking } from '../http/authenticate.ts';
import { scopeOf } from '../http/authorize.ts';
import { created, ok, type Account, type Handlers } from '../http/call.ts';
import { createToken, hashToken } from '../http/session-cookie.ts';
import { recordChange } from '../store/record-change.ts';
import * as tokens from '../store/tokens.ts';
import { getUser, lockUser } from '../store/users.ts';
import { listAnswer } from './lists.ts';
import { loadAccount, refuseStronger, toAccount } from './people.ts';
import { proveOneself } from './prove-oneself.ts';

export const tokenHandlers: Handlers<typeof tokenOperations> = {
  async listApiTokens({ database, params, query }) {
    await getUser(database.db, params.id);
    return listAnswer('tokens', await tokens.listTokens(database, params.id, query), showToken);
  },

  async createApiToken(call) {
    refuseFaultyEnd(call.body.expires_at);
    // It outlasts the session by which it is made, and a new password.
    await proveOneself(call, call.body.current_password, 'A token is created');
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

/** Nobody changes or deactivates the owner meanwhile, nor gives them another token. */
async function addToken(tx: Tx, { params, body, account, author }: CreateCall, hash: Buffer): Promise<tokens.TokenRow> {
  const { id, active } = await lockUser(tx, params.id);
  if (id !== account.id) await refuseStronger(tx, account, id);
  if (!active) throw new Problem('account_inactive', 'This account is not active: nobody can come by a token of it.');
  refuseMore(await loadAccount(tx, id), body.permissions);
  if ((await tokens.countOpenTokens(tx, id)) >= mostTokens) {
    throw new Problem('too_many_tokens', `This account has ${mostTokens} tokens. Revoke one that is no longer needed.`);
  }
  const { name, permissions, expires_at } = body;
  const row = await tokens.insertToken(tx, { user_id: id, token_hash: hash, name, permissions, expires_at });
  // That there is a token, and for what, is history; the token itself is its owner's alone.
  const after = { token_id: row.id, name, permissions, expires_at: row.expires_at };
  await recordChange(tx, author, { objectKind: 'user', objectId: id, before: null, after });
  return row;
}

/** For all cohorts or for some. */
const holdsSomewhere = (owner: Account, permission: Permission): boolean => {
  const scope = scopeOf(owner, permission);
  return scope.kind === 'all' || scope.ids.length > 0;
};

function refuseMore(owner: Account, wanted: CreateCall['body']['permissions']): void {
  const faults = wanted.flatMap((permission, index) =>
    holdsSomewhere(owner, permission)
      ? []
      : [{ pointer: `/permissions/${index}`, detail: `The owner of the token lacks the permission ${permission}.` }],
  );
  const [first] = faults;
  if (first) throw new Problem('not_allowed', first.detail, { faults });
}

const dayMs = 86_400_000;

function refuseFaultyEnd(expiresAt: string): void {
  const ahead = Date.parse(expiresAt) - Date.now();
  if (ahead > 0 && ahead <= longestTokenDays * dayMs) return;
  const detail = `/expires_at must lie ahead, and at most ${longestTokenDays} days.`;
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

/** The account behind a token, with what both may do; the token's use is written down once a minute. */
export async function findTokenAccount(db: Db, tokenHash: Buffer, { isUse }: Asking = { isUse: true }) {
  const row = await tokens.findTokenAccount(db, tokenHash);
  if (!row) return undefined;
  refuseOver(row);
  if (row.unnoted && isUse) await tokens.noteTokenUse(db, row.token_id);
  const owner = toAccount(row);
  const token = { id: row.token_id, name: row.token_name, expiresAt: row.expires_at };
  return { ...narrow(owner, new Set(row.token_permissions)), token };
}

/** What the owner holds everywhere and what for some cohorts: of both that which the token has. */
const narrow = (owner: Account, allowed: ReadonlySet<string>): Account => ({
  ...owner,
  permissions: common(owner.permissions, allowed),
  cohortRoles: owner.cohortRoles.map((held) => ({ ...held, permissions: common(held.permissions, allowed) })),
});

const common = (held: ReadonlySet<Permission>, allowed: ReadonlySet<string>): ReadonlySet<Permission> =>
  new Set([...held].filter((permission) => allowed.has(permission)));

/** Whoever has the token may know what became of it. */
function refuseOver({ active, revoked_at, expired, expires_at }: tokens.TokenAccountRow): void {
  if (!active) throw new Problem('token_ended', 'The account of this token is not active any more.');
  if (revoked_at !== null) throw new Problem('token_ended', `This token was revoked at ${revoked_at}.`);
  if (expired) throw new Problem('token_ended', `This token expired at ${expires_at}. Create another one.`);
}
