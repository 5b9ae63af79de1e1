/** Who finds an open session must not gain by it what outlasts it: for that one gives the password once more. */
import { Problem } from '../errors.ts';
import type { Call, Credentials } from '../http/call.ts';

/** `because` ends the sentence of the refusal: what is done with the password alone. */
export async function provePassword(
  { account, client, checkCredentials }: Pick<Call, 'account' | 'client' | 'checkCredentials'>,
  current: string | undefined,
  because: string,
): Promise<void> {
  const { address } = client;
  const isRight =
    current !== undefined &&
    (await isPasswordOf({ checkCredentials }, { login: account.username, password: current, address }));
  if (isRight) return;
  const detail = `/current_password is ${current === undefined ? 'needed' : 'wrong'}: ${because}`;
  throw new Problem('not_allowed', detail, { faults: [{ pointer: '/current_password', detail }] });
}

/** Failures count as those of sign-in do. */
async function isPasswordOf({ checkCredentials }: Pick<Call, 'checkCredentials'>, credentials: Credentials) {
  try {
    await checkCredentials(credentials);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'wrong_credentials') return false;
    throw error;
  }
}
