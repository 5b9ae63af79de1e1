/** Runs commands in parallel, prints how long each took, and the output of those that failed. */
import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { fromRoot } from './printed-file.ts';

export interface Stage {
  name: string;
  command: readonly [program: string, ...flags: string[]];
}

interface Outcome {
  name: string;
  seconds: number;
  failed: boolean;
  output: string;
}

/** As with `npm run`: programs in node_modules come first, including Node itself if ./setup fetched it. */
const environment = {
  ...process.env,
  PATH: [fromRoot('node_modules/.bin'), process.env['PATH']].join(delimiter),
};

/** A program that cannot be started counts as failed. */
function runStage({ name, command: [program, ...flags] }: Stage): Promise<Outcome> {
  const started = performance.now();
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const child = spawn(program, flags, { cwd: fromRoot('.'), env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const end = (failed: boolean) => resolve({ name, failed, output, seconds: (performance.now() - started) / 1000 });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  child.once('error', (error) => {
    output += error.message;
    end(true);
  });
  child.once('close', (code) => end(code !== 0));
  return promise;
}

export const stageLine = ({ name, failed, seconds }: Omit<Outcome, 'output'>): string =>
  `${failed ? 'failed' : 'ok    '} ${name.padEnd(10)} ${seconds.toFixed(1)} s`;

async function runAndReport(stage: Stage): Promise<Outcome> {
  const outcome = await runStage(stage);
  console.log(stageLine(outcome));
  return outcome;
}

/** Returns whether all succeeded. */
export async function runStages(stages: readonly Stage[]): Promise<boolean> {
  const failures = (await Promise.all(stages.map(runAndReport))).filter(({ failed }) => failed);
  for (const { name, output } of failures) console.error(`\n--- ${name}\n${output.trim()}`);
  return failures.length === 0;
}
