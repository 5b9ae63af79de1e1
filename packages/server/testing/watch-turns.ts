/**
 * Loaded into a process of ours beside its program: at each SIGUSR2 it says how long the event loop was held up at most since
 * the last, by what the process worked in one turn. What others do on the machine holds it up as well, and says nothing of it.
 */
import { workedMs } from './least-work.ts';

let [longestMs, before] = [0, workedMs()];
// A timer fires between two turns at the earliest.
setInterval(() => {
  const now = workedMs();
  longestMs = Math.max(longestMs, now - before);
  before = now;
}, 1).unref();

process.on('SIGUSR2', () => {
  process.stdout.write(`held up for ${longestMs.toFixed(1)} ms at most\n`);
  longestMs = 0;
});
