/** Waits for work of the server, such as a bulk operation, and shows its progress. Ctrl-C stops the work on the server. */
import { setTimeout } from 'node:timers/promises';
import { Failure } from '../run/failure.ts';
import { catchInterrupt } from '../run/interruption.ts';
import { endProgress, showProgress } from '../output/progress.ts';
import { note } from '../output/write-output.ts';

export interface Work {
  id: number;
  status: string;
  waiting_for: string | null;
  per_second: number | null;
  seconds_left: number | null;
}

export interface Followed<W extends Work> {
  /** What `done` counts: `experiments changed`. */
  what: (work: W) => string;
  /** Such as `Bulk operation 31`. */
  name: string;
  /** The total is 0 while it is not known, before anything is changed. */
  counts: (work: W) => { done: number; total: number };
  /** For a message if it is stopped: `3 of 10 experiments changed.` */
  changed: (work: W) => string;
  read: () => Promise<W>;
  stop: () => Promise<W>;
  /** For a message if stopping fails. */
  stopCommand: string;
}

const pauseMs = 500;
const active = new Set(['uploading', 'checking', 'running']);

/** Returns when it has ended, is checked or paused. */
export async function followWork<W extends Work>(first: W, followed: Followed<W>): Promise<W> {
  const { signal, release } = catchInterrupt();
  let work = first;
  try {
    for (let told: string | null = null; active.has(work.status); work = await followed.read()) {
      const { done, total } = followed.counts(work);
      showProgress(followed.what(work), { done, total, perSecond: work.per_second, secondsLeft: work.seconds_left });
      if (work.waiting_for !== told && work.waiting_for !== null) endProgress(`Waiting: ${work.waiting_for}`);
      told = work.waiting_for;
      await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return await stop(followed);
    }
    endProgress();
    return work;
  } finally {
    release();
  }
}

async function stop<W extends Work>(followed: Followed<W>): Promise<never> {
  endProgress('Interrupted. Stopping.');
  const stopped = await followed.stop().catch(() => undefined);
  if (!stopped)
    throw new Failure(
      'interrupted',
      `${followed.name} may continue on the server.`,
      `Stop it with: ${followed.stopCommand}`,
    );
  const { total } = followed.counts(stopped);
  const changed = total === 0 ? 'Nothing was changed.' : `${followed.changed(stopped)} Changes already made are kept.`;
  note(`${followed.name} is stopped. ${changed}`);
  throw new Failure('interrupted', 'Interrupted.');
}
