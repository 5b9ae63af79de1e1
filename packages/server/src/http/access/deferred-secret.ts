/**
 * An execution that a program opened with a secret, before the secret is checked. A handler that is marked with `readsAttempt` reads the
 * attempt of the secret together with its own data and passes it to `confirm`. That saves a round trip to the database.
 */
import { Problem } from '../../errors.ts';
import type { AnyHandler, OpenedExecution } from '../call.ts';

export const wrongSecret = () =>
  new Problem('wrong_secret', 'This secret does not belong to an attempt of this execution.');

/** `read` finds the attempt. `onChecked` is called as soon as it is known whether the secret is right. */
export function deferSecret(
  { id, secret }: Pick<OpenedExecution, 'id' | 'secret'>,
  read: () => Promise<number | undefined>,
  onChecked: (isRight: boolean) => void,
): OpenedExecution {
  let wrong = false;
  const execution: OpenedExecution = {
    id,
    secret,
    attempt: 0,
    confirm: async (found) => {
      const attempt = found === undefined && !wrong ? await read() : found;
      wrong = attempt == null;
      onChecked(!wrong);
      if (attempt == null) throw wrongSecret();
      Object.assign(execution, { attempt, confirm: undefined });
    },
  };
  return execution;
}

/** Marks a handler that confirms deferred secrets. */
export const readsAttempt = <H extends (call: never) => unknown>(handler: H): H =>
  Object.assign(handler, { readsAttempt: true });

export const canDeferSecret = (handler: AnyHandler): boolean => 'readsAttempt' in handler;
