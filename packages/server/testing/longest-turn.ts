/**
 * The longest that one turn of the event loop worked, which is the server's, too. Work, not time: what others do on the
 * machine adds to every time.
 */
import { workedMs } from './least-work.ts';

export async function longestTurn(work: () => Promise<void>): Promise<number> {
  let [longestTurnMs, before] = [0, workedMs()];
  // A timer fires between two turns at the earliest, so what was worked since the last one is a turn, or some short ones.
  const turns = setInterval(() => {
    const now = workedMs();
    longestTurnMs = Math.max(longestTurnMs, now - before);
    before = now;
  }, 1);
  await work();
  clearInterval(turns);
  return longestTurnMs;
}
