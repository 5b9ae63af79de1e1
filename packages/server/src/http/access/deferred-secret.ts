/**
 * An execution that a program opened with a secret, before the secret is checked. A handler that is marked with `readsAttempt` reads the
 * attempt of the secret together with its own data and passes it to `confirm`. That saves a round trip to the database.
 */
import { Problem } from '../../errors.ts';
import type { AnyHandler, OpenedExecution } from '../call.ts';

export const wrongSecret = () =>
  new Problem('wrong_secret', 'This secret does not belong to an attempt of this execution.');

/** `read` finds the attempt. `onWrong` is called for a wrong secret. */
export function deferSecret(
  { id, secret }: Pick<OpenedExecution, 'id' | 'secret'>,
  read: () => Promise<number | undefined>,
  onWrong: () => void,
): OpenedExecution {
  const execution: OpenedExecution = {
    id,
    secret,
    attempt: 0,
    confirm: async (found) => {
      const attempt = found === undefined ? await read() : found;
      if (attempt == null) {
        onWrong();
        throw wrongSecret();
      }
      Object.assign(execution, { attempt, confirm: undefined });
    },
  };
  return execution;
}

/** Marks a handler that confirms deferred secrets. */
export const readsAttempt = <H extends (call: never) => unknown>(handler: H): H =>
  Object.assign(handler, { readsAttempt: true });

export const canDeferSecret = (handler: AnyHandler): boolean => 'readsAttempt' in handler;
