/** An API token never has more permissions than its owner has at that moment. */
import type { Permission } from '@milepost/api';
import type { Db } from '../../database/connection.ts';
import { Problem } from '../../errors.ts';
import * as tokens from '../../store/people/tokens.ts';
import type { Account } from '../call.ts';
import { toAccount, type Usage } from './accounts.ts';

/** The account of a token, with the permissions that both have. Records the use of the token at most once a minute. */
export async function accountOfToken(db: Db, tokenHash: Buffer, { isUse }: Usage = { isUse: true }) {
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
