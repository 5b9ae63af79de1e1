/** Runs the program of a worker in a process group of its own, so that Ctrl-C does not reach it and all its processes can be ended. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { KeptOutput } from './kept-output.ts';
import type { PrintedValues } from './printed-values.ts';

const killAfterMs = 10_000;

export interface RunningProgram {
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  /** SIGTERM to its group, and SIGKILL if it does not end. */
  stop: () => void;
}

export interface Program {
  command: string;
  input: string;
  environment: Record<string, string | undefined>;
  output: KeptOutput;
  printed: PrintedValues;
}

/** Fails if it cannot be started, such as with too many processes. */
export async function runProgram({ command, input, environment, output, printed }: Program): Promise<RunningProgram> {
  const child = spawn('/bin/sh', ['-c', command], { env: environment, detached: true });
  // There may be no pipes before this event. No output is lost, because a pipe only flows once it has a listener.
  await once(child, 'spawn');
  child.stdout.on('data', output.add);
  child.stdout.on('data', printed.add);
  child.stderr.on('data', output.add);
  // A program that does not read its input closes the pipe.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const kill = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // The group has ended.
    }
  };
  const stop = () => {
    kill('SIGTERM');
    const timer = setTimeout(() => kill('SIGKILL'), killAfterMs);
    void ended.finally(() => clearTimeout(timer));
  };
  return { ended, stop };
}
