/**
 * A client that moves experiments, some of its own and some shared with all clients. Every move has a token that is recorded
 * with it, and the expected state of the experiment.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Journal, Wanted } from './journal.ts';
import type { RequestResult, Request } from './requests.ts';

export interface Mover {
  /** The prefix of its tokens. */
  name: string;
  own: readonly number[];
  shared: readonly number[];
  journal: Journal;
  random: Random;
  signal: AbortSignal;
  /** Called for each acknowledged move. */
  onMoved: () => void;
}

/** The assumed state of an experiment, and the time of its next move. */
interface Assumption {
  state: string;
  from: number;
}

/** The moves out of `ready`, with their share and the time that the callback may take. */
const destinations = [
  { to: 'back', share: 0.76, waitMs: 0 },
  { to: 'call', share: 0.12, waitMs: 1000 },
  { to: 'slow', share: 0.06, waitMs: 4000 },
  { to: 'pulled', share: 0.03, waitMs: 3000 },
  { to: 'flaky', share: 0.03, waitMs: 6000 },
];
/** Moves that are sent twice at once with the same key. */
const shareOfTwins = 0.02;
const shareOfShared = 0.06;
/** Moves that are not repeated if their outcome is unknown. */
const shareOfUnrepeated = 0.2;
const pauseAfterRejectionMs = 1500;

export async function moveExperiments(mover: Mover): Promise<void> {
  const assumptions = new Map([...mover.own, ...mover.shared].map((id) => [id, { state: 'ready', from: 0 }]));
  for (let number = 1; !mover.signal.aborted; number++) {
    const id = choose(mover, assumptions);
    if (id === undefined) {
      await sleep(20);
      continue;
    }
    assumptions.set(id, await moveOne(mover, id, assumptions.get(id)?.state ?? '', `${mover.name}-${number}`));
  }
}

function choose({ own, shared, random }: Mover, assumptions: ReadonlyMap<number, Assumption>): number | undefined {
  const among = random.chance(shareOfShared) ? shared : own;
  const now = performance.now();
  const free = among.filter((id) => (assumptions.get(id)?.from ?? 0) <= now);
  return free[random.below(free.length)];
}

async function moveOne(mover: Mover, id: number, state: string, token: string): Promise<Assumption> {
  const { to, waitMs } = state === 'ready' ? pick(mover.random) : { to: 'ready', waitMs: 0 };
  const result = await sendMove(mover, { token, move: { experiment: id, to } }, state);
  const now = performance.now();
  if (result.outcome === 'ok') {
    mover.onMoved();
    return { state: waitMs > 0 ? 'ready' : to, from: now + waitMs };
  }
  const current: unknown = result.body?.state?.label;
  const assumed = current === 'back' ? 'back' : 'ready';
  return { state: assumed, from: current === assumed ? now : now + pauseAfterRejectionMs };
}

function pick(random: Random) {
  let left = random.next();
  const found = destinations.find(({ share }) => (left -= share) < 0);
  return found ?? { to: 'back', waitMs: 0 };
}

async function sendMove({ journal, random }: Mover, wanted: Wanted, expected: string): Promise<RequestResult> {
  const request = moveRequest(wanted, expected);
  if (random.chance(shareOfTwins)) {
    const twins = await Promise.all([journal.attempt(wanted, 1, request), journal.attempt(wanted, 2, request)]);
    const known = twins.find(({ outcome }) => outcome !== 'unknown');
    return known ?? journal.attempt(wanted, 3, request);
  }
  return journal.retry(wanted, request, random.chance(shareOfUnrepeated) ? { last: 1 } : {});
}

export const moveRequest = ({ token, move }: Wanted, expected: string): Request => ({
  method: 'PUT',
  path: `/experiments/${move?.experiment}/state`,
  body: { state_label: move?.to, freetext: token, expected_state: expected },
});
