/**
 * One process of the run under a supervisor: started again when it was killed, and when it ended by itself, which it never
 * should.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProgramProcess } from '../../../packages/server/testing/program-process.ts';
import type { FaultLine } from '../drive/lines.ts';
import { hangMs } from '../until.ts';

export interface Member<P extends ProgramProcess> {
  name: string;
  /** The process that runs now, or the one that ran last. */
  current: () => P;
  kill: () => Promise<void>;
  /** Asks the process to end, once `ready` has resolved, and starts it again, as for an upgrade. */
  end: (ready?: (one: P) => Promise<void>) => Promise<void>;
  /** Stops the process once `before` has resolved, and continues it once `meanwhile` has. */
  freeze: (steps: Freeze<P>) => Promise<void>;
  /** What all its processes wrote. */
  output: () => string;
  stop: () => Promise<void>;
}

export interface Freeze<P> {
  before: (one: P) => Promise<void>;
  meanwhile: (one: P) => Promise<void>;
  /** The next fault of this process waits for it. */
  after: (one: P) => Promise<void>;
}

type Tell = (line: Omit<FaultLine, 'at'>) => Promise<void>;

export async function superviseMember<P extends ProgramProcess & { name?: string }>(
  name: string,
  start: () => Promise<P>,
  tell: Tell,
): Promise<Member<P>> {
  const processes: P[] = [];
  /** One thing at a time: what comes while it starts again waits until it is back. */
  let turn = Promise.resolve();
  let expected = false;
  const inTurn = (work: () => Promise<void>) => (turn = turn.then(work));
  const current = () => processes.at(-1) as P;
  const startOne = async () => {
    const one = await startAgain(start);
    processes.push(one);
    expected = false;
    void one.ended.then((code) => (expected ? undefined : inTurn(() => comeBack(code))));
  };
  const comeBack = async (code: number | null) => {
    await tell({ kind: 'exit', what: `ended by itself with ${code}`, member: name });
    await startOne();
  };
  const said = (kind: FaultLine['kind'], what: string) =>
    tell({ kind, what, member: name, ...(current().name !== undefined && { worker: current().name }) });
  await startOne();
  const startAnew = (what: 'kill' | 'end', signal: NodeJS.Signals, ready?: (one: P) => Promise<void>) =>
    inTurn(async () => {
      await ready?.(current());
      expected = true;
      await said('fault', what);
      const code = await current().stop(signal);
      if (what === 'end' && code !== 0) await said('exit', `ended with ${code}`);
      await startOne();
      await said('back', what);
    });
  return {
    name,
    current,
    output: () => processes.map((one) => one.output()).join(''),
    kill: () => startAnew('kill', 'SIGKILL'),
    end: (ready) => startAnew('end', 'SIGTERM', ready),
    freeze: ({ before, meanwhile, after }) =>
      inTurn(async () => {
        await before(current());
        await said('fault', 'freeze');
        current().signal('SIGSTOP');
        await meanwhile(current());
        current().signal('SIGCONT');
        await said('back', 'freeze');
        await after(current());
      }),
    stop: () =>
      inTurn(async () => {
        expected = true;
        await current().stop();
      }),
  };
}

/** As every supervisor does: a process may not find its database when it starts. */
async function startAgain<P>(start: () => Promise<P>): Promise<P> {
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
