/** Who finds an open session must not gain by it what outlasts it: for that one proves once more who one is. */
import { recentMinutes } from '@milepost/api';
import { Problem } from '../errors.ts';
import type { Call, Credentials } from '../http/call.ts';
import { isRecent } from '../store/sessions.ts';

type ProvingCall = Pick<Call, 'account' | 'session' | 'client' | 'checkCredentials' | 'database'>;

/**
 * By the password, or, where the account has none, by having signed in just now. Basic credentials are the password itself.
 * `what` is what is done with it alone, as the beginning of a sentence.
 */
export async function proveOneself(call: ProvingCall, current: string | undefined, what: string): Promise<void> {
  const { account, session, database } = call;
  if (!session) return;
  if (account.passwordHash !== null) return provePassword(call, current, what);
  if (await isRecent(database.db, session.id)) return;
  throw new Problem(
    'not_allowed',
    `${what} within ${recentMinutes} minutes after signing in, where your account has no password: sign in again for that.`,
  );
}

async function provePassword(call: ProvingCall, current: string | undefined, what: string): Promise<void> {
  const { username } = call.account;
  const { address } = call.client;
  if (current !== undefined && (await isRight(call, { login: username, password: current, address }))) return;
  const fault = current === undefined ? 'it is missing' : 'the one given is wrong';
  const detail = `${what} with your current password alone: ${fault}.`;
  throw new Problem('not_allowed', detail, { faults: [{ pointer: '/current_password', detail }] });
}

/** Failures count as those of sign-in do. */
async function isRight({ checkCredentials }: ProvingCall, credentials: Credentials): Promise<boolean> {
  try {
    await checkCredentials(credentials);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'wrong_credentials') return false;
    throw error;
  }
}
