import { join } from 'node:path';
import type { RunningServer } from '../start-server.ts';
import type { RunningWorker } from '../start-worker.ts';

/** Where to store the generated password of the first account. Undefined: the terminal shows it, and it is stored nowhere. */
export const firstPasswordFile = (folder: string): string | undefined =>
  process.stdout.isTTY ? undefined : join(folder, 'first-password');

/** Prints the URL of the server. A generated password is printed only here, and only on a terminal. */
export function announce({ url, metricsUrl, firstAdmin, passwordFile }: RunningServer): void {
  console.log(`Milepost is running at ${url} (metrics at ${metricsUrl}).`);
  if (firstAdmin?.generatedPassword === undefined) return;
  const { username, generatedPassword } = firstAdmin;
  if (passwordFile === undefined) {
    console.log(`Created the first account. Username: ${username}  Password: ${generatedPassword}`);
    console.log('The password is shown only once. Change it after you sign in.');
  } else {
    console.log(`Created the first account. Username: ${username}  Password file: ${passwordFile}`);
    console.log('Change the password after you sign in. The file is then removed.');
  }
}

export const announceWorker = ({ name, metricsUrl }: RunningWorker): void =>
  console.log(`Worker ${name} is running (metrics at ${metricsUrl}).`);
