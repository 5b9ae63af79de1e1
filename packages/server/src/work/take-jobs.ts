/**
 * Takes jobs while there are free slots, and runs them. It checks for jobs when it is woken, when a slot becomes free, and every
 * second. A job is taken only if it can start immediately.
 */
export interface JobOptions<J, T> {
  slots: number;
  /** Takes up to `most` jobs. Fewer mean that the queue is empty. */
  take: (most: number) => Promise<J[]>;
  /** Starts the executions that can be started. */
  start: (jobs: readonly J[]) => Promise<T[]>;
  run: (started: T) => Promise<void>;
  onError: (error: unknown) => void;
}

export interface JobRunner {
  wake: () => void;
  running: () => number;
  /** Takes no more jobs; resolves when all running ones have ended. */
  stop: () => Promise<void>;
}

const pollMs = 1000;
const maxPerTake = 50;

export function takeJobs<J, T>({ slots, take, start, run, onError }: JobOptions<J, T>): JobRunner {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const bell = createBell(pollMs);

  const runOne = async (one: T): Promise<void> => {
    await run(one).catch(onError);
    bell.ring();
  };
  /** Returns whether there may be more jobs. */
  const takeOnce = async (): Promise<boolean> => {
    const wanted = Math.min(slots - running.size, maxPerTake);
    const taken = wanted > 0 ? await take(wanted) : [];
    const started = taken.length > 0 ? await start(taken) : [];
    for (const one of started) {
      const ending = runOne(one).finally(() => running.delete(ending));
      running.add(ending);
    }
    return wanted > 0 && taken.length === wanted;
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const more = await takeOnce().catch((error: unknown) => {
        onError(error);
        return false;
      });
      if (!more) await bell.rung();
    }
  };
  const looping = loop();
  return {
    wake: bell.ring,
    running: () => running.size,
    stop: async () => {
      stopping.abort();
      bell.ring();
      await looping;
      await Promise.all(running);
    },
  };
}

/** Wakes the loop when it rings or after `longestMs`. A ring without a waiting loop wakes the next wait. */
function createBell(longestMs: number) {
  let ringing = false;
  let wakeUp: (() => void) | undefined;
  return {
    ring: () => {
      ringing = true;
      wakeUp?.();
    },
    rung: async () => {
      if (!ringing) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, longestMs);
        wakeUp = resolve;
        await promise;
        clearTimeout(timer);
        wakeUp = undefined;
      }
      ringing = false;
    },
  };
}
