/** What a failure on the way to others means for a run: whether it is tried again (rule 14). */
import { OutgoingFailed, OutgoingRefused } from '../outgoing/outgoing-errors.ts';
import { LastingFailure, PassingFailure, type Run } from './callback-function.ts';

/** Throws the reason of the signal where the run was called off, as it is then not the other's failure. */
export function callbackFailure(error: unknown, run: Run): unknown {
  run.signal.throwIfAborted();
  if (error instanceof OutgoingRefused) return new LastingFailure(error.message, { cause: error });
  if (error instanceof OutgoingFailed) return new PassingFailure(error.message, { cause: error });
  return error;
}
