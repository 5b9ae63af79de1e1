/** Says in one sentence what limits a figure, from what was measured while it ran. */
import { addCpu, cores, measureCpu, type CpuUse, type Processes } from './cpu.ts';
import { sampleWaits, type Waits } from './waits.ts';

export interface Use {
  cpu: CpuUse;
  waits: Waits;
}

export async function measureUse<T>(
  ownerUrl: string,
  processes: Processes,
  run: () => Promise<T>,
): Promise<{ result: T; use: Use }> {
  const { result, waits } = await sampleWaits(ownerUrl, () => measureCpu(processes, run));
  return { result: result.result, use: { cpu: result.cpu, waits } };
}

/** More than this is busy. The rest goes to scheduling and to measuring. */
const busyShare = 0.9;

/** For example "CPU: 97 % of 2 cores; Node 41 %, PostgreSQL 47 %, load 9 %". */
export function limitOf(uses: readonly Use[]): string {
  const cpu = addCpu(uses.map((use) => use.cpu));
  const available = cpu.seconds * cores;
  const busy = 1 - cpu.idle / available;
  const parts = sharesOf(cpu, available, busy).map(([name, share]) => `${name} ${percent(share)}`);
  return `${reasonOf(cpu, busy, uses)}; ${parts.join(', ')}`;
}

function reasonOf(cpu: CpuUse, busy: number, uses: readonly Use[]): string {
  if (busy >= busyShare) return `CPU: ${percent(busy)} of ${cores} cores`;
  // Node runs JavaScript in one thread.
  const perThread = (cpu.parts['Node'] ?? 0) / cpu.seconds / (cpu.processes['Node'] ?? 1);
  return perThread >= busyShare
    ? `Node: its thread is busy ${percent(perThread)} of the time, ${percent(1 - busy)} idle`
    : `${percent(1 - busy)} idle${mostFrequent(uses.map((use) => use.waits))}`;
}

function sharesOf(cpu: CpuUse, available: number, busy: number): [string, number][] {
  const shares = Object.entries(cpu.parts).map(([name, seconds]): [string, number] => [name, seconds / available]);
  const others = busy - shares.reduce((sum, [, share]) => sum + share, 0);
  const all: [string, number][] = [...shares, ['other processes', others]];
  return all.filter(([, share]) => share >= 0.005);
}

function mostFrequent(waits: readonly Waits[]): string {
  const counts = new Map<string, number>();
  for (const [event, count] of waits.flatMap((one) => Object.entries(one))) {
    counts.set(event, (counts.get(event) ?? 0) + count);
  }
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first ? `: PostgreSQL waits mostly for ${first[0]}` : '';
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
