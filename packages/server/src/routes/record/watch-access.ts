/**
 * Checks every few seconds whether the client of a stream still has access. A client that has lost it is disconnected. If the
 * check fails for another reason, such as a lost database, the account is unknown until a check succeeds. The client then gets
 * nothing, but stays connected.
 */
import { Problem } from '../../errors.ts';
import type { Account, Call } from '../../http/call.ts';
import type { EventStream } from '../../http/server-sent-events.ts';

const checkMs = 5000;
const checkAfterFailureMs = 1000;

export interface Access {
  /** Undefined while it is unknown. */
  account: () => Account | undefined;
  /** Resolves when the account is known or the stream is closed. */
  known: () => Promise<void>;
}

export function watchAccess({ following, log, account: admitted }: Call, stream: EventStream): Access {
  let account: Account | undefined = admitted;
  let known = Promise.withResolvers<void>();
  known.resolve();
  const check = async () => {
    try {
      account = await following.recheckAccess();
      known.resolve();
    } catch (error) {
      if (error instanceof Problem && error.code !== 'busy') return stream.end();
      if (account) known = Promise.withResolvers<void>();
      account = undefined;
      log.warn({ err: error }, 'failed to check the access of an event stream');
    }
    if (!stream.closed) timer = setTimeout(() => void check(), account ? checkMs : checkAfterFailureMs);
  };
  let timer = setTimeout(() => void check(), checkMs);
  stream.onClose(() => {
    clearTimeout(timer);
    known.resolve();
  });
  return { account: () => account, known: () => known.promise };
}
