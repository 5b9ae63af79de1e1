/** Ends well: the first signal stops in order, a second one at once. What goes wrong at the start is said in one sentence. */
import { SettingsError } from '../config.ts';
import { Problem } from '../errors.ts';

export function runUntilStopped(start: () => Promise<{ stop: () => Promise<void> }>): void {
  start().then(stopOnSignal, fail);
}

function stopOnSignal({ stop }: { stop: () => Promise<void> }): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(130);
    stopping = true;
    stop().then(() => process.exit(0), fail);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

function fail(error: unknown): never {
  const expected = error instanceof SettingsError || error instanceof Problem;
  console.error(expected ? error.message : error);
  process.exit(1);
}
