/** Ctrl-C during long work: the first one ends it in order, the second one ends the process at once. */
import { exitCodes } from './failure.ts';

export interface Interruption {
  signal: AbortSignal;
  release: () => void;
}

export function catchInterrupt(): Interruption {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    release: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
