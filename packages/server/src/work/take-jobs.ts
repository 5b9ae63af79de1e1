/**
 * Takes jobs as long as there are free places, and runs what they start. It looks when it is woken, when a place becomes
 * free, and every second in any case. Each thing that runs holds one place; nothing is taken that could not start at once.
 */
export interface JobTaking<T> {
  places: number;
  /** Takes up to so many; fewer mean that there are no more for now. */
  take: (most: number) => Promise<number[]>;
  /** Starts what can be started of them. */
  start: (executionIds: readonly number[]) => Promise<T[]>;
  run: (started: T) => Promise<void>;
  onError: (error: unknown) => void;
}

export interface TakenJobs {
  wake: () => void;
  /** How many run now. */
  running: () => number;
  /** Takes no more; answers when all that runs has ended. */
  stop: () => Promise<void>;
}

const lookEveryMs = 1000;
const mostAtOnce = 50;

export function takeJobs<T>({ places, take, start, run, onError }: JobTaking<T>): TakenJobs {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const bell = createBell(lookEveryMs);

  const hold = async (one: T): Promise<void> => {
    await run(one).catch(onError);
    bell.ring();
  };
  /** Answers whether there may be more. */
  const takeSome = async (): Promise<boolean> => {
    const wanted = Math.min(places - running.size, mostAtOnce);
    const taken = wanted > 0 ? await take(wanted) : [];
    const started = taken.length > 0 ? await start(taken) : [];
    for (const one of started) {
      const held = hold(one).finally(() => running.delete(held));
      running.add(held);
    }
    return wanted > 0 && taken.length === wanted;
  };
  const look = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const more = await takeSome().catch((error: unknown) => {
        onError(error);
        return false;
      });
      if (!more) await bell.rung();
    }
  };
  const looking = look();
  return {
    wake: bell.ring,
    running: () => running.size,
    stop: async () => {
      stopping.abort();
      bell.ring();
      await looking;
      await Promise.all(running);
    },
  };
}

/** Rings when it is rung, and by itself after so long. A ring that nobody waits for is heard by the next who does. */
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
