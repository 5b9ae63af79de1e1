import type { RunningDemo } from '../demo/start-demo.ts';
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

export function announceDemo({ coordinator }: RunningDemo): void {
  console.log('The demo study comes to life: 300 subjects in three cohorts, workflow brain_mri.');
  if (!coordinator) return;
  const { username, password } = coordinator;
  console.log(`An account for the study was made. Username: ${username}  Password: ${password}`);
}
