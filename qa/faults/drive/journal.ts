/** Sends a request and keeps the journal of it: what is wanted before, and synced; what came of it after. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from '../place/place.ts';
import type { Random } from '../random.ts';
import { until } from '../until.ts';
import type { Answered, Intent } from './lines.ts';
import { send, type Answer, type Request } from './requests.ts';

export type Wanted = Pick<Intent, 'token' | 'move' | 'report'>;

export interface Journal {
  /** One try at one of the servers; the next one is made at another. */
  attempt: (wanted: Wanted, number: number, request: Request) => Promise<Answer>;
  /** Repeats it with its key as long as its outcome is unknown, from the given try to the given one. */
  insist: (wanted: Wanted, request: Request, tries?: { first?: number; last?: number }) => Promise<Answer>;
}

const firstPauseMs = 50;
const longestPauseMs = 2000;

export function createJournal(
  { open, logs: { driver } }: Pick<Place, 'open' | 'logs'>,
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
    const { body, ...seen } = await send(server?.current().baseUrl ?? '', { ...request, key: wanted.token });
    void driver.append({ kind: 'outcome', at: Date.now(), ...name, ...seen } satisfies Answered);
    if (seen.outcome === 'unknown') onUnknown();
    return { body, ...seen };
  };
  const insist: Journal['insist'] = async (wanted, request, { first = 1, last: lastTry = Infinity } = {}) => {
    for (let number = first, pauseMs = firstPauseMs; ; number++, pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const answer = await attempt(wanted, number, request);
      if (answer.outcome !== 'unknown' || number >= lastTry) return answer;
      await sleep(pauseMs);
    }
  };
  return { attempt, insist };
}
