/**
 * Runs a program without a shell, in a process group of its own, and keeps what it says. The run ends with the program:
 * whatever it leaves behind in its group is killed. When the signal aborts, the whole group is asked to end, and killed
 * if it does not.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { keepBeginning, watchLines } from './program-output.ts';

export interface Program {
  path: string;
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Gets each line of the standard output. */
  onLine: (line: string) => void;
  /** Between asking to end and killing. */
  graceMs?: number;
}

export interface Finished {
  /** Minus the number of the signal, where one ended it. */
  returnCode: number;
  stdout: string;
  stderr: string;
  /** Which of the two was longer than what is kept. */
  cut: string[];
}

/** A process outside the group may hold the output open; it is not waited for. */
const afterExitMs = 1000;

export async function runProgram(program: Program): Promise<Finished> {
  const { path, args, environment, signal, onLine, graceMs = 3000 } = program;
  const child = spawn(path, args, { cwd: '/', env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  // Before it is known to run there may be no pipes; afterwards nothing is lost, as a pipe flows when it is listened to.
  await once(child, 'spawn');
  const [stdout, stderr] = [keepBeginning(child.stdout), keepBeginning(child.stderr)];
  watchLines(child.stdout, onLine);
  const closed = once(child, 'close').catch(() => undefined);
  const stopWatching = endOnAbort(child, signal, graceMs);
  try {
    const [code, by] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    signalGroup(child, 'SIGKILL');
    // A turn later: where this process was itself held up for so long, what is in the pipes was not read yet.
    await Promise.race([closed, pause(afterExitMs, undefined, { ref: false }).then(() => nextTurn())]);
    const cut = Object.entries({ stdout, stderr }).flatMap(([name, output]) => (output.isCut() ? [name] : []));
    const returnCode = code ?? -constants.signals[by ?? 'SIGKILL'];
    return { returnCode, stdout: stdout.text(), stderr: stderr.text(), cut };
  } finally {
    stopWatching();
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function endOnAbort(child: ChildProcess, signal: AbortSignal, graceMs: number): () => void {
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

/** A minus before the id means the group. It may be gone, or hold what is not ours to end: there is nobody to tell. */
function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // See above.
  }
}
