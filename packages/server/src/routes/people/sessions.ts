/** Browser sessions (docs/decisions/0021). */
import type { sessionOperations } from '@milepost/api';
import type { Tx } from '../../database/connection.ts';
import { inTransaction } from '../../database/transaction.ts';
import { Problem } from '../../errors.ts';
import {
  created,
  ok,
  type Account,
  type Call,
  type Handlers,
  type OpenSession,
  type OpenToken,
} from '../../http/call.ts';
import { clearingCookie, createToken, hashToken, settingCookie } from '../../http/access/session-cookie.ts';
import { readCohortLabels } from '../../store/people/cohort-roles.ts';
import type { Author } from '../../store/record/history.ts';
import { recordChange } from '../../store/record/record-change.ts';
import * as sessions from '../../store/people/sessions.ts';
import { getUser, lockAccount } from '../../store/people/users.ts';
import { listAnswer } from '../lists.ts';
import type { SignInServices } from './require-reauthentication.ts';

const deletingCookie = { 'set-cookie': clearingCookie };

export interface SessionServices extends SignInServices {
  studyName: string;
}

export const sessionHandlers: Handlers<typeof sessionOperations, SessionServices> = {
  async signIn(call) {
    requireEncryption(call);
    const token = createToken();
    // Retries once with the current account if it changed while the password was being checked.
    const opened = (await openSession(call, token)) ?? (await openSession(call, token));
    if (!opened) {
      throw new Problem('busy', 'Your account is being changed. Try again.', { retryAfterSeconds: 1 });
    }
    return { ...created(await showSession(call, opened)), headers: { 'set-cookie': settingCookie(token) } };
  },

  async getSession(call) {
    return ok(await showSession(call, call));
  },

  async signOut(call) {
    const { session } = call;
    if (session) await endRecorded(call, session.id);
    return { ...ok({ ended: session !== null }), headers: deletingCookie };
  },

  async listSessions({ database, account, session, query }) {
    const list = await sessions.listSessions(database, account.id, query);
    return listAnswer('sessions', list, (row) => summarise(row, session));
  },

  async endSession(call) {
    const ended = summarise(await endRecorded(call, call.params.id), call.session);
    return { ...ok(ended), ...(ended.current && { headers: deletingCookie }) };
  },
};

type SignInCall = Parameters<(typeof sessionHandlers)['signIn']>[0];

interface Opened {
  account: Account;
  session: OpenSession | null;
}

/** Rejects connections on which others could read the password. */
export function requireEncryption({ client }: Pick<Call, 'client'>): void {
  if (client.isSecureContext) return;
  throw new Problem(
    'insecure_connection',
    'This connection is not encrypted, so others could read your password. Use HTTPS. (For operators: a proxy that ' +
      'terminates TLS must be listed in MILEPOST_TRUSTED_PROXIES and send X-Forwarded-Proto.)',
  );
}

/** Always uses a new token, to prevent session fixation. Returns undefined if the account changed after the password check. */
async function openSession(call: SignInCall, token: string): Promise<Opened | undefined> {
  const { client, body } = call;
  const credentials = { login: body.username, password: body.password, address: client.address };
  const account = await call.checkCredentials(credentials);
  return inTransaction(call.database.db, async (tx) => {
    if (!(await lockAccount(tx, account.id, account.passwordHash))) return undefined;
    return { account, session: await beginSession(tx, { userId: account.id, token, client, author: call.author }) };
  });
}

interface NewSession {
  /** The transaction has locked this account. */
  userId: number;
  token: string;
  client: Pick<Call['client'], 'address' | 'userAgent' | 'sessionToken'>;
  author: Call['author'];
}

/** Used by every kind of sign-in. Ends the session whose cookie the browser sent. */
export async function beginSession(tx: Tx, { userId, token, client, author }: NewSession): Promise<OpenSession> {
  const origin = { address: client.address, user_agent: client.userAgent };
  const values = { user_id: userId, token_hash: hashToken(token), ...origin };
  const { id, expires_at } = await sessions.insertSession(tx, values);
  const change = { objectKind: 'user', objectId: userId, before: null, after: { session_id: id, ...origin } };
  const person = { ...author, kind: 'user' as const, id: userId };
  await recordChange(tx, person, change);
  await endReplaced(tx, person, client.sessionToken);
  return { id, expiresAt: expires_at };
}

/** The new cookie replaces the old one in the browser, so the old session could no longer be ended from there. */
async function endReplaced(tx: Tx, author: Author, token: string | undefined): Promise<void> {
  const replaced = token === undefined ? undefined : await sessions.endSessionOfToken(tx, hashToken(token));
  if (!replaced) return;
  const before = { session_id: replaced.id };
  await recordChange(tx, author, { objectKind: 'user', objectId: replaced.user_id, before, after: null });
}

const endRecorded = ({ database, account, author }: Pick<Call, 'database' | 'account' | 'author'>, id: number) =>
  inTransaction(database.db, async (tx) => {
    const ended = await sessions.endSession(tx, account.id, id);
    const before = { session_id: id };
    await recordChange(tx, author, { objectKind: 'user', objectId: account.id, before, after: null });
    return ended;
  });

type ShowingCall = Pick<Call, 'database' | 'links'> & Pick<SessionServices, 'studyName'>;

async function showSession({ database, links, studyName }: ShowingCall, { account, session }: Opened) {
  const { id, username, name, email } = await getUser(database.db, account.id);
  return {
    id: session?.id ?? null,
    study_name: studyName,
    user: { id, uri: links.uri('users', id), username, name, email },
    has_password: account.passwordHash !== null,
    roles: [...account.roles],
    permissions: [...account.permissions],
    cohort_roles: await showCohortRoles({ database, links }, account),
    expires_at: session?.expiresAt ?? null,
    token: account.token ? showToken(account.token) : null,
  };
}

const showToken = ({ id, name, expiresAt }: OpenToken) => ({ id, name, expires_at: expiresAt });

/** One entry for each role and cohort. */
async function showCohortRoles({ database, links }: Pick<Call, 'database' | 'links'>, { cohortRoles }: Account) {
  const ids = cohortRoles.flatMap(({ cohortIds }) => cohortIds);
  const labels = await readCohortLabels(database.db, ids);
  return cohortRoles.flatMap(({ role, permissions, cohortIds }) =>
    cohortIds.map((id) => ({
      role,
      cohort: links.ref('cohorts', { id, label: labels.get(id) ?? '' }),
      permissions: [...permissions],
    })),
  );
}

const summarise = (row: sessions.SessionRow, current: OpenSession | null) => ({
  id: row.id,
  created_at: row.created_at,
  last_used_at: row.last_used_at,
  expires_at: row.expires_at,
  address: row.address,
  user_agent: row.user_agent,
  current: row.id === current?.id,
});
