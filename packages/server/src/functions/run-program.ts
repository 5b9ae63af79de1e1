/**
 * Runs a program without a shell, in its own process group, and keeps its output. When the program exits, the rest of its
 * group is killed. When the signal aborts, the whole group gets SIGTERM, and SIGKILL after a grace period.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { captureStart, readLines } from './program-output.ts';

export interface Program {
  path: string;
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Called for each line of the standard output. */
  onLine: (line: string) => void;
  /** The time between SIGTERM and SIGKILL. */
  graceMs?: number;
}

export interface ProgramResult {
  /** The negative signal number if a signal ended the program. */
  returnCode: number;
  stdout: string;
  stderr: string;
  /** Which of stdout and stderr were cut off. */
  cut: string[];
  /** The last part of each, which has the error of a failed program. */
  ends: { stdout: string; stderr: string };
}

/** A process outside the group can hold the output open. The run does not wait for it. */
const afterExitMs = 1000;

export async function runProgram(program: Program): Promise<ProgramResult> {
  const { path, args, environment, signal, onLine, graceMs = 3000 } = program;
  const child = spawn(path, args, { cwd: '/', env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  // There may be no pipes before this event. No output is lost, because a pipe only flows once it has a listener.
  await once(child, 'spawn');
  const [stdout, stderr] = [captureStart(child.stdout), captureStart(child.stderr)];
  readLines(child.stdout, onLine);
  const closed = once(child, 'close').catch(() => undefined);
  const stopWatching = stopOnAbort(child, signal, graceMs);
  try {
    const [code, by] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    signalGroup(child, 'SIGKILL');
    // One more turn of the event loop, so that output is read even if this process itself was blocked for that long.
    await Promise.race([closed, pause(afterExitMs, undefined, { ref: false }).then(() => nextTurn())]);
    const cut = Object.entries({ stdout, stderr }).flatMap(([name, output]) => (output.isCut() ? [name] : []));
    const returnCode = code ?? -constants.signals[by ?? 'SIGKILL'];
    const ends = { stdout: stdout.end(), stderr: stderr.end() };
    return { returnCode, stdout: stdout.text(), stderr: stderr.text(), cut, ends };
  } finally {
    stopWatching();
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function stopOnAbort(child: ChildProcess, signal: AbortSignal, graceMs: number): () => void {
  let kill: NodeJS.Timeout | undefined;
  const end = () => {
    signalGroup(child, 'SIGTERM');
    kill = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return () => {
    signal.removeEventListener('abort', end);
    clearTimeout(kill);
  };
}

/** A negative id addresses the group. Errors are ignored, because the group may have exited already. */
function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // The group has exited.
  }
}
