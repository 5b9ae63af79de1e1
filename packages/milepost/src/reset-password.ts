/** `milepost admin reset-password`: the new password on standard output, everything else on standard error. */
import { text } from 'node:stream/consumers';
import { resetPassword, type Environment } from '@milepost/server';

export interface ResetOptions {
  passwordStdin?: boolean;
}

export async function resetPasswordOf(login: string, { passwordStdin }: ResetOptions, environment: Environment) {
  const given = passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined;
  const reset = await resetPassword(environment, { login, password: given });
  if (reset === undefined) return;
  console.error(`Changed the password of ${reset.username} and ended their sessions. The audit log shows the change.`);
  if (given === undefined) console.log(reset.password);
}
