/**
 * One supervised process of the testbed. It is restarted after a kill, and after it exited by itself, which should never
 * happen.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProgramProcess } from '../../../packages/server/testing/processes/program-process.ts';
import type { FaultLine } from '../drive/lines.ts';
import { hangMs } from '../until.ts';

export interface Member<P extends ProgramProcess> {
  name: string;
  /** The running process, or the last one. */
  current: () => P;
  kill: () => Promise<void>;
  /** Shuts down the process when `ready` has resolved, and restarts it, as for an upgrade. */
  shutDown: (ready?: (one: P) => Promise<void>) => Promise<void>;
  /** Freezes the process when `before` has resolved, and continues it when `meanwhile` has. */
  freeze: (steps: Freeze<P>) => Promise<void>;
  /** The output of all its processes. */
  output: () => string;
  stop: () => Promise<void>;
}

export interface Freeze<P> {
  before: (one: P) => Promise<void>;
  meanwhile: (one: P) => Promise<void>;
  /** Delays the next fault of this process. */
  after: (one: P) => Promise<void>;
}

type LogFault = (line: Omit<FaultLine, 'at'>) => Promise<void>;

export async function superviseMember<P extends ProgramProcess & { name?: string }>(
  name: string,
  start: () => Promise<P>,
  logFault: LogFault,
): Promise<Member<P>> {
  const processes: P[] = [];
  /** One fault at a time. A fault during a restart waits until the process is running. */
  let last = Promise.resolve();
  let expected = false;
  const enqueue = (work: () => Promise<void>) => (last = last.then(work));
  const current = () => processes.at(-1) as P;
  const startOne = async () => {
    const one = await startWithRetries(start);
    processes.push(one);
    expected = false;
    void one.ended.then((code) => (expected ? undefined : enqueue(() => restartAfterExit(code))));
  };
  const restartAfterExit = async (code: number | null) => {
    await logFault({ kind: 'exit', what: `exited by itself with code ${code}`, member: name });
    await startOne();
  };
  const log = (kind: FaultLine['kind'], what: string) =>
    logFault({ kind, what, member: name, ...(current().name !== undefined && { worker: current().name }) });
  await startOne();
  const restart = (what: 'kill' | 'shutdown', signal: NodeJS.Signals, ready?: (one: P) => Promise<void>) =>
    enqueue(async () => {
      await ready?.(current());
      expected = true;
      await log('fault', what);
      const code = await current().stop(signal);
      if (what === 'shutdown' && code !== 0) await log('exit', `exited with code ${code}`);
      await startOne();
      await log('back', what);
    });
  return {
    name,
    current,
    output: () => processes.map((one) => one.output()).join(''),
    kill: () => restart('kill', 'SIGKILL'),
    shutDown: (ready) => restart('shutdown', 'SIGTERM', ready),
    freeze: ({ before, meanwhile, after }) =>
      enqueue(async () => {
        await before(current());
        await log('fault', 'freeze');
        current().signal('SIGSTOP');
        await meanwhile(current());
        current().signal('SIGCONT');
        await log('back', 'freeze');
        await after(current());
      }),
    stop: () =>
      enqueue(async () => {
        expected = true;
        await current().stop();
      }),
  };
}

/** Like every supervisor, because the database may be down when the process starts. */
async function startWithRetries<P>(start: () => Promise<P>): Promise<P> {
  const giveUpAt = performance.now() + hangMs;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await sleep(200);
    }
  }
}
