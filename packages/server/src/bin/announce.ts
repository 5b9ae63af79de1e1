import type { RunningServer } from '../start-server.ts';
import type { RunningWorker } from '../start-worker.ts';

/** Prints the URL of the server. A generated password is printed only here and stored nowhere. */
export function announce({ url, metricsUrl, firstAdmin }: RunningServer): void {
  console.log(`Milepost is running at ${url} (metrics at ${metricsUrl}).`);
  if (firstAdmin?.generatedPassword === undefined) return;
  console.log(`Created the first account. Username: ${firstAdmin.username}  Password: ${firstAdmin.generatedPassword}`);
  console.log('The password is shown only once. Change it after you sign in.');
}

export const announceWorker = ({ name, metricsUrl }: RunningWorker): void =>
  console.log(`Worker ${name} is running (metrics at ${metricsUrl}).`);
