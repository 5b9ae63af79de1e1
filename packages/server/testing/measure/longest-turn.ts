/**
 * Measures the longest turn of the event loop, in milliseconds of CPU time of this thread, so that other processes do not count.
 * For nightly tests only, because shared caches and cores still affect it.
 */
export function watchTurns(): { longestMs: () => number; stop: () => void } {
  let [longestMs, before] = [0, cpuMs()];
  // A timer fires only between two turns, so the CPU time since the last one is that of one turn or of several short ones.
  const timer = setInterval(() => {
    const now = cpuMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
  }, 1).unref();
  return {
    /** The longest turn since the last call. */
    longestMs: () => {
      const longest = longestMs;
      longestMs = 0;
      return longest;
    },
    stop: () => clearInterval(timer),
  };
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest turn while the work runs. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const turns = watchTurns();
  await work();
  turns.stop();
  return turns.longestMs();
}
