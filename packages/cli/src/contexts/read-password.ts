import type { Environment } from '../run/command.ts';
import { usage } from '../run/failure.ts';
import { askSecret, hasTerminal, readSecret } from './prompt.ts';

export async function readPassword(fromStdin: boolean, environment: Environment): Promise<string> {
  if (fromStdin) return readSecret();
  if (environment['MILEPOST_PASSWORD']) return environment['MILEPOST_PASSWORD'];
  if (!hasTerminal()) throw usage('There is no terminal to ask for the password.', 'Use --password-stdin.');
  return askSecret('Password: ');
}
