/** An open session alone must not allow changes that outlast it, so they require the user to authenticate again. */
import { recentSignInMinutes } from '@milepost/api';
import { Problem } from '../../errors.ts';
import type { Call, CheckCredentials, Credentials } from '../../http/call.ts';
import { isRecent } from '../../store/people/sessions.ts';

export interface SignInServices {
  checkCredentials: CheckCredentials;
}

type ReauthenticatingCall = Pick<Call, 'account' | 'session' | 'client' | 'database'> & SignInServices;

/**
 * Requires the current password, or, if the account has none, a recent sign-in. HTTP Basic already contains the password.
 * `action` completes the sentence "Your current password is required to ...".
 */
export async function requireReauthentication(
  call: ReauthenticatingCall,
  current: string | undefined,
  action: string,
): Promise<void> {
  const { account, session, database } = call;
  if (!session) return;
  if (account.passwordHash !== null) return requirePassword(call, current, action);
  if (await isRecent(database.db, session.id)) return;
  throw new Problem(
    'not_allowed',
    `To ${action}, sign in again. You can do this for ${recentSignInMinutes} minutes after signing in.`,
  );
}

async function requirePassword(call: ReauthenticatingCall, current: string | undefined, action: string): Promise<void> {
  const { username } = call.account;
  const { address } = call.client;
  if (current !== undefined && (await isCorrect(call, { login: username, password: current, address }))) return;
  const detail =
    current === undefined
      ? `Your current password is required to ${action}.`
      : `Your current password is wrong. It is required to ${action}.`;
  throw new Problem('not_allowed', detail, { faults: [{ pointer: '/current_password', detail }] });
}

/** Failures count as failed sign-ins. */
async function isCorrect({ checkCredentials }: ReauthenticatingCall, credentials: Credentials): Promise<boolean> {
  try {
    await checkCredentials(credentials);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'wrong_credentials') return false;
    throw error;
  }
}
