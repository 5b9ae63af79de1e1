/** Sends requests and keeps a journal: the intent, synced to disk, before the request, and the outcome after it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Testbed } from '../testbed/testbed.ts';
import type { Random } from '../random.ts';
import { until } from '../until.ts';
import type { OutcomeLine, Intent } from './lines.ts';
import { send, type RequestResult, type Request } from './requests.ts';

export type Wanted = Pick<Intent, 'token' | 'move' | 'report'>;

export interface Journal {
  /** Sends the request once. Repeats go to another server. */
  attempt: (wanted: Wanted, number: number, request: Request) => Promise<RequestResult>;
  /** Repeats the request with the same key while its outcome is unknown, from attempt `first` to attempt `last`. */
  retry: (wanted: Wanted, request: Request, tries?: { first?: number; last?: number }) => Promise<RequestResult>;
}

const firstPauseMs = 50;
const maxPauseMs = 2000;

export function createJournal(
  { open, logs: { driver } }: Pick<Testbed, 'open' | 'logs'>,
  random: Random,
  onUnknown: () => void = () => undefined,
): Journal {
  let last = 0;
  const attempt: Journal['attempt'] = async (wanted, number, request) => {
    const name = { token: wanted.token, try: number };
    await driver.append({ kind: 'intent', at: Date.now(), ...wanted, ...name } satisfies Intent);
    await until('a server is ready', () => open().length > 0);
    const servers = open();
    last = number === 1 ? random.below(servers.length) : last + 1;
    const server = servers[last % servers.length];
    const { body, ...outcome } = await send(server?.current().baseUrl ?? '', { ...request, key: wanted.token });
    void driver.append({ kind: 'outcome', at: Date.now(), ...name, ...outcome } satisfies OutcomeLine);
    if (outcome.outcome === 'unknown') onUnknown();
    return { body, ...outcome };
  };
  const retry: Journal['retry'] = async (wanted, request, { first = 1, last: lastTry = Infinity } = {}) => {
    for (let number = first, pauseMs = firstPauseMs; ; number++, pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      const result = await attempt(wanted, number, request);
      if (result.outcome !== 'unknown' || number >= lastTry) return result;
      await sleep(pauseMs);
    }
  };
  return { attempt, retry };
}
