/** Waits for work of the server, such as a bulk operation, and shows its progress. Ctrl-C stops the work on the server. */
import { ProblemError } from '@milepost/api/client';
import { setTimeout } from 'node:timers/promises';
import { explainError } from '../run/explain-error.ts';
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
  /** For messages if the server cannot be reached. */
  showCommand: string;
  stopCommand: string;
}

const pauseMs = 500;
/** While the server cannot be reached, pauses grow to 10 s, so it is asked for more than five minutes. */
const longestPauseMs = 10_000;
const mostFailures = 40;
const active = new Set(['uploading', 'checking', 'running']);

/** Returns when it has ended, is checked or paused. */
export async function followWork<W extends Work>(first: W, followed: Followed<W>): Promise<W> {
  const { signal, release } = catchInterrupt();
  let work = first;
  try {
    for (let told: string | null = null; active.has(work.status); work = await readAgain(followed, signal)) {
      const { done, total } = followed.counts(work);
      showProgress(followed.what(work), { done, total, perSecond: work.per_second, secondsLeft: work.seconds_left });
      if (work.waiting_for !== told && work.waiting_for !== null) endProgress(`Waiting: ${work.waiting_for}`);
      told = work.waiting_for;
    }
    endProgress();
    return work;
  } finally {
    release();
  }
}

/** The work continues while the server cannot be reached, so a request that fails for a while does not end the command. */
async function readAgain<W extends Work>(followed: Followed<W>, signal: AbortSignal): Promise<W> {
  for (let failures = 0; ; failures += 1) {
    await setTimeout(Math.min(pauseMs * 2 ** failures, longestPauseMs), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return stop(followed);
    try {
      return await followed.read();
    } catch (error) {
      const explained = explainError(error);
      if (!isTemporary(error, explained) || failures === mostFailures) throw unfollowed(explained, followed);
      if (failures === 0) endProgress(`${explained.message} Trying again.`);
    }
  }
}

const isTemporary = (error: unknown, { reason }: Failure) =>
  reason === 'unreachable' || (error instanceof ProblemError && error.status === 429);

function unfollowed<W extends Work>({ reason, message, remedy }: Failure, { name, showCommand }: Followed<W>): Failure {
  const advice = `${name} may continue on the server. See: ${showCommand}`;
  return new Failure(reason, message, remedy === undefined ? advice : `${remedy}\n${advice}`);
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
