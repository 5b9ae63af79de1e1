/** Runs the program of a worker in a process group of its own, so that Ctrl-C does not reach it and all its processes can be ended. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { KeptOutput } from './kept-output.ts';

const killAfterMs = 10_000;

export interface RunningProgram {
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  /** SIGTERM to its group, and SIGKILL if it does not end. */
  stop: () => void;
}

export function runProgram(
  command: string,
  input: string,
  environment: Record<string, string | undefined>,
  output: KeptOutput,
): RunningProgram {
  const child = spawn('/bin/sh', ['-c', command], { env: environment, detached: true });
  child.stdout.on('data', output.add);
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
