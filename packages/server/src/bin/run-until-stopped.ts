/**
 * Runs a process until a signal stops it. The first signal shuts down gracefully, even during startup; a second one exits at
 * once. A failed start prints one message.
 */
import { printFailure } from './print-failure.ts';

interface Running {
  stop: () => Promise<void>;
}

/** SIGHUP arrives when the terminal is closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Under npm, one Ctrl-C arrives twice: from the terminal and from npm. */
const duplicateSignalMs = 500;

export function runUntilStopped(start: () => Promise<Running>): void {
  let signalledAt: number | undefined;
  // Registered before the start, so that a signal during startup also stops the parts that already run.
  const signalled = new Promise<void>((resolve) => {
    const onSignal = () => {
      if (signalledAt !== undefined && performance.now() - signalledAt > duplicateSignalMs) process.exit(130);
      signalledAt ??= performance.now();
      resolve();
    };
    for (const signal of signals) process.on(signal, onSignal);
  });
  const running = start();
  running.catch(fail);
  void signalled
    .then(async () => {
      await (await running).stop();
      process.exit(0);
    })
    .catch(fail);
}

function fail(error: unknown): never {
  printFailure(error, 'DATABASE_URL');
  process.exit(1);
}
