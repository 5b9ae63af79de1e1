/** Maps a failed outgoing connection to a failure that is retried or not (rule 14). */
import { OutgoingFailed, OutgoingRefused } from '../outgoing/outgoing-errors.ts';
import { PermanentFailure, TemporaryFailure, type Run } from './callback-function.ts';

/** Throws the signal's reason if the run was cancelled, because then the connection failed for that reason. */
export function callbackFailure(error: unknown, run: Run, host: string): unknown {
  run.signal.throwIfAborted();
  if (error instanceof OutgoingRefused) return new PermanentFailure(error.message, { cause: error });
  if (error instanceof OutgoingFailed) return new TemporaryFailure(error.message, { cause: error, host });
  return error;
}
