/**
 * The longest turn of the event loop, in milliseconds that this thread worked: time that others take on the machine holds up the
 * loop, too, and says nothing of us. Only for nightly tests, as caches and cores that are shared still add to it.
 */
export function watchTurns(): { longestMs: () => number; stop: () => void } {
  let [longestMs, before] = [0, workedMs()];
  // A timer fires between two turns at the earliest, so what was worked since the last one is a turn, or some short ones.
  const timer = setInterval(() => {
    const now = workedMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
  }, 1).unref();
  return {
    /** Since this was last asked. */
    longestMs: () => {
      const longest = longestMs;
      longestMs = 0;
      return longest;
    },
    stop: () => clearInterval(timer),
  };
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** While the work goes on. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const turns = watchTurns();
  await work();
  turns.stop();
  return turns.longestMs();
}
