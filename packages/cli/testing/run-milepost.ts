/** Runs the command line as a process of its own, as a shell does. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../src/milepost.ts', import.meta.url));

export interface Outcome {
  stdout: string;
  stderr: string;
  code: number | null;
}

export type Shell = Awaited<ReturnType<typeof createShell>>;

/** A folder with `milepost` in the path. Commands see only the given environment. */
export async function createShell(environment: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-cli-'));
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const script = `#!/bin/sh\nexec '${process.execPath}' --conditions=source '${program}' "$@"\n`;
  await writeFile(join(bin, 'milepost'), script);
  await chmod(join(bin, 'milepost'), 0o755);
  const base = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: folder, ...environment };
  const open = (file: string, args: readonly string[], more: Record<string, string | undefined> = {}) => {
    const child = spawn(file, args, { cwd: folder, env: { ...base, ...more }, detached: true });
    return Object.assign(child, { outcome: outcomeOf(child) });
  };
  const start = (command: string, more?: Record<string, string | undefined>) => {
    const child = open('bash', ['-c', command], more);
    child.stdin.end();
    return child;
  };
  return {
    folder,
    start,
    /** In a terminal, with its input open. */
    openTerminal: (command: string, more?: Record<string, string | undefined>) =>
      open('script', ['-qec', command, '/dev/null'], { TERM: 'xterm', ...more }),
    run: (command: string, more?: Record<string, string | undefined>): Promise<Outcome> => start(command, more).outcome,
    write: (file: string, content: string) => writeFile(join(folder, file), content),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function outcomeOf(child: ReturnType<typeof spawn>): Promise<Outcome> {
  const closed = once(child, 'close') as Promise<[number | null]>;
  const read = (stream: typeof child.stdout) => (stream ? text(stream) : Promise.resolve(''));
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)]);
  const [code] = await closed;
  return { stdout, stderr, code };
}

/** As a terminal does: to all processes of the command. */
export const interrupt = (child: ChildProcess): void => void process.kill(-(child.pid ?? 0), 'SIGINT');
