/**
 * Ends well: the first signal stops in order, also while the start is still going on; a second one ends at once. What goes
 * wrong at the start is said in one sentence.
 */
import { sayFailure } from './say-failure.ts';

interface Running {
  stop: () => Promise<void>;
}

/** Closing the terminal is a wish to end, too. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One Ctrl-C arrives twice where npm stands between: from the terminal, and passed on by npm. */
const sameWishMs = 500;

export function runUntilStopped(start: () => Promise<Running>): void {
  let askedAt: number | undefined;
  // Listened to from the beginning: what was started in the middle of a start must not outlive it.
  const asked = new Promise<void>((resolve) => {
    const ask = () => {
      if (askedAt !== undefined && performance.now() - askedAt > sameWishMs) process.exit(130);
      askedAt ??= performance.now();
      resolve();
    };
    for (const signal of signals) process.on(signal, ask);
  });
  const running = start();
  running.catch(fail);
  void asked
    .then(async () => {
      await (await running).stop();
      process.exit(0);
    })
    .catch(fail);
}

function fail(error: unknown): never {
  sayFailure(error, 'DATABASE_URL');
  process.exit(1);
}
