/** Signing in and out with a browser: ours, beyond the specification (docs/decisions/0021). */
import type { sessionOperations } from '@milepost/api';
import type { Db, Tx } from '../database/connection.ts';
import { inTransaction } from '../database/transaction.ts';
import { Problem } from '../errors.ts';
import type { Asking } from '../http/authenticate.ts';
import { created, ok, type Account, type Call, type Handlers, type OpenSession, type OpenToken } from '../http/call.ts';
import { clearingCookie, createToken, hashToken, settingCookie } from '../http/session-cookie.ts';
import { readCohortLabels } from '../store/cohort-roles.ts';
import type { Author } from '../store/history.ts';
import { recordChange } from '../store/record-change.ts';
import * as sessions from '../store/sessions.ts';
import { getUser, holdAccount } from '../store/users.ts';
import { listAnswer } from './lists.ts';
import { toAccount } from './people.ts';

const takingCookieBack = { 'set-cookie': clearingCookie };

export const sessionHandlers: Handlers<typeof sessionOperations> = {
  async signIn(call) {
    refuseListeners(call);
    const token = createToken();
    // The second time the account is read anew: it was changed while the password was being checked.
    const opened = (await openSession(call, token)) ?? (await openSession(call, token));
    if (!opened) {
      throw new Problem('busy', 'Your account is being changed at this moment. Try again.', { retryAfterSeconds: 1 });
    }
    return { ...created(await showSession(call, opened)), headers: { 'set-cookie': settingCookie(token) } };
  },

  async getSession(call) {
    return ok(await showSession(call, call));
  },

  async signOut(call) {
    const { session } = call;
    if (session) await endRecorded(call, session.id);
    return { ...ok({ ended: session !== null }), headers: takingCookieBack };
  },

  async listSessions({ database, account, session, query }) {
    const list = await sessions.listSessions(database, account.id, query);
    return listAnswer('sessions', list, (row) => summarise(row, session));
  },

  async endSession(call) {
    const ended = summarise(await endRecorded(call, call.params.id), call.session);
    return { ...ok(ended), ...(ended.current && { headers: takingCookieBack }) };
  },
};

type SignInCall = Parameters<(typeof sessionHandlers)['signIn']>[0];

interface Opened {
  account: Account;
  session: OpenSession | null;
}

/** Of what others could read on the way. */
export function refuseListeners({ client }: Pick<Call, 'client'>): void {
  if (client.isPrivate) return;
  throw new Problem(
    'insecure_connection',
    'This connection is not encrypted: others could read your password. Open this page over https. (For those who run the ' +
      'server: a proxy that does the encryption has to be listed in MILEPOST_TRUSTED_PROXIES and to send X-Forwarded-Proto.)',
  );
}

/** Always with a new token, whatever cookie came along. Undefined where the account changed since its password was checked. */
async function openSession(call: SignInCall, token: string): Promise<Opened | undefined> {
  const { client, body } = call;
  const credentials = { login: body.username, password: body.password, address: client.address };
  const account = await call.checkCredentials(credentials);
  return inTransaction(call.database.db, async (tx) => {
    if (!(await holdAccount(tx, account.id, account.passwordHash))) return undefined;
    return { account, session: await beginSession(tx, { userId: account.id, token, client, author: call.author }) };
  });
}

interface Beginning {
  /** Whose account the transaction holds. */
  userId: number;
  token: string;
  client: Pick<Call['client'], 'address' | 'userAgent' | 'sessionToken'>;
  author: Call['author'];
}

/** By whichever way somebody came in. The session whose cookie came along is over. */
export async function beginSession(tx: Tx, { userId, token, client, author }: Beginning): Promise<OpenSession> {
  const came = { address: client.address, user_agent: client.userAgent };
  const values = { user_id: userId, token_hash: hashToken(token), ...came };
  const { id, expires_at } = await sessions.insertSession(tx, values);
  const change = { objectKind: 'user', objectId: userId, before: null, after: { session_id: id, ...came } };
  const person = { ...author, kind: 'user' as const, id: userId };
  await recordChange(tx, person, change);
  await endReplaced(tx, person, client.sessionToken);
  return { id, expiresAt: expires_at };
}

/** The browser forgets the cookie that it had, so nobody could end that session any more. */
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

async function showSession({ database, links }: Pick<Call, 'database' | 'links'>, { account, session }: Opened) {
  const { id, username, name, email } = await getUser(database.db, account.id);
  return {
    id: session?.id ?? null,
    user: { id, uri: links.uri('users', id), username, name, email },
    has_password: account.passwordHash !== null,
    roles: [...account.roles],
    permissions: [...account.permissions],
    cohort_roles: await showCohortRoles({ database, links }, account),
    expires_at: session?.expiresAt ?? null,
    token: account.token ? showUsed(account.token) : null,
  };
}

const showUsed = ({ id, name, expiresAt }: OpenToken) => ({ id, name, expires_at: expiresAt });

/** Each role for each of its cohorts. */
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

/** The account behind the token of an open session; its use is written down once a minute. */
export async function findSession(db: Db, tokenHash: Buffer, { isUse }: Asking = { isUse: true }) {
  const row = await sessions.findSessionAccount(db, tokenHash);
  if (!row) return undefined;
  if (row.unnoted && isUse) await sessions.noteUse(db, row.session_id);
  return { account: toAccount(row), session: { id: row.session_id, expiresAt: row.expires_at } };
}
