import type { RunningServer } from '../start-server.ts';
import type { RunningWorker } from '../start-worker.ts';

/** What whoever started the server wants to know. The password is shown this once and stored nowhere. */
export function announce({ url, metricsUrl, firstAdmin }: RunningServer): void {
  console.log(`Milepost serves at ${url} (metrics at ${metricsUrl}).`);
  if (firstAdmin?.generatedPassword === undefined) return;
  console.log(
    `The first account was made. Username: ${firstAdmin.username}  Password: ${firstAdmin.generatedPassword}`,
  );
  console.log('This password is not shown again: change it after signing in.');
}

export const announceWorker = ({ name, metricsUrl }: RunningWorker): void =>
  console.log(`Worker ${name} runs callbacks (metrics at ${metricsUrl}).`);
