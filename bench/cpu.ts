/** CPU time of processes and of the machine while something runs, from /proc (Linux only). */
import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

/** The unit of /proc is fixed at 1/100 s. */
const ticksPerSecond = 100;
export const cores = availableParallelism();

/** Names of parts and their main processes. */
export type Processes = Readonly<Record<string, number | readonly number[]>>;

export interface CpuUse {
  /** Elapsed time. */
  seconds: number;
  /** Seconds of CPU of each part, with all its child processes, and of `load`: this process and the children that it waited for. */
  parts: Record<string, number>;
  /** The number of main processes of each part. */
  processes: Record<string, number>;
  /** Seconds of CPU of all cores that nothing used. */
  idle: number;
}

export async function measureCpu<T>(processes: Processes, run: () => Promise<T>): Promise<{ result: T; cpu: CpuUse }> {
  const [start, before] = [performance.now(), await readTimes(processes)];
  const result = await run();
  const [seconds, after] = [(performance.now() - start) / 1000, await readTimes(processes)];
  const parts = Object.entries(after.parts).map(([name, ticks]) => [
    name,
    inSeconds(ticks - (before.parts[name] ?? 0)),
  ]);
  return {
    result,
    cpu: {
      seconds,
      parts: Object.fromEntries(parts) as Record<string, number>,
      processes: Object.fromEntries(Object.entries(processes).map(([name, pids]) => [name, [pids].flat().length])),
      idle: inSeconds(after.idle - before.idle),
    },
  };
}

/** The sum of several measurements. */
export const addCpu = (uses: readonly CpuUse[]): CpuUse =>
  uses.reduce((sum, use) => ({
    seconds: sum.seconds + use.seconds,
    parts: Object.fromEntries(
      Object.entries(use.parts).map(([name, seconds]) => [name, seconds + (sum.parts[name] ?? 0)]),
    ),
    processes: use.processes,
    idle: sum.idle + use.idle,
  }));

const inSeconds = (ticks: number) => ticks / ticksPerSecond;

async function readTimes(processes: Processes): Promise<{ parts: Record<string, number>; idle: number }> {
  const running = await readProcesses();
  const parts: Record<string, number> = { load: running.get(process.pid)?.ticks ?? 0 };
  for (const [name, pids] of Object.entries(processes)) {
    parts[name] = [pids].flat().reduce((sum, pid) => sum + ticksOfTree(running, pid), 0);
  }
  return { parts, idle: await idleTicks() };
}

interface RunningProcess {
  parent: number;
  /** Includes its ended children. */
  ticks: number;
}

async function readProcesses(): Promise<Map<number, RunningProcess>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const running = await Promise.all(
    pids.map((pid) =>
      readFile(`/proc/${pid}/stat`, 'utf8').then(
        (text) => [[pid, parseStat(text)] as const],
        // It has ended in the meantime.
        () => [],
      ),
    ),
  );
  return new Map(running.flat());
}

/** The name of the program is in parentheses and can contain spaces. See proc(5). */
function parseStat(text: string): RunningProcess {
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0] = fields.slice(1);
  const times = fields.slice(11, 15);
  return { parent, ticks: times.reduce((sum, ticks) => sum + ticks, 0) };
}

function ticksOfTree(running: ReadonlyMap<number, RunningProcess>, pid: number): number {
  const children = [...running].filter(([, { parent }]) => parent === pid);
  return children.reduce((sum, [child]) => sum + ticksOfTree(running, child), running.get(pid)?.ticks ?? 0);
}

/** Includes the time in which a core is idle because processes wait for the disk. */
async function idleTicks(): Promise<number> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n', 1);
  const [, , , , idle = 0, wait = 0] = line.split(/ +/).map(Number);
  return idle + wait;
}
