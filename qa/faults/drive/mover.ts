/**
 * People who move experiments: each has some of their own, and some that all fight for. Every move carries a token that is
 * recorded with it, and says in which state it expects the experiment.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Journal, Wanted } from './journal.ts';
import type { Answer, Request } from './requests.ts';

export interface Mover {
  /** Marks its tokens. */
  name: string;
  own: readonly number[];
  shared: readonly number[];
  journal: Journal;
  random: Random;
  signal: AbortSignal;
  /** Called with each move that was acknowledged. */
  onMoved: () => void;
}

/** What is believed of an experiment, and when it is worth a try. */
interface Belief {
  state: string;
  from: number;
}

/** How often which way is taken out of `ready`, and how long the callback there may take. */
const ways = [
  { to: 'back', share: 0.76, restMs: 0 },
  { to: 'call', share: 0.12, restMs: 1000 },
  { to: 'slow', share: 0.06, restMs: 4000 },
  { to: 'pulled', share: 0.03, restMs: 3000 },
  { to: 'flaky', share: 0.03, restMs: 6000 },
];
/** Sent twice at the same moment, with one key. */
const shareOfTwins = 0.02;
const shareOfShared = 0.06;
/** Left alone when its outcome is unknown: it may be there or not. */
const shareOfUnrepeated = 0.2;
const pauseAfterRefusalMs = 1500;

export async function moveOn(mover: Mover): Promise<void> {
  const beliefs = new Map([...mover.own, ...mover.shared].map((id) => [id, { state: 'ready', from: 0 }]));
  for (let number = 1; !mover.signal.aborted; number++) {
    const id = choose(mover, beliefs);
    if (id === undefined) {
      await sleep(20);
      continue;
    }
    beliefs.set(id, await moveOne(mover, id, beliefs.get(id)?.state ?? '', `${mover.name}-${number}`));
  }
}

function choose({ own, shared, random }: Mover, beliefs: ReadonlyMap<number, Belief>): number | undefined {
  const among = random.chance(shareOfShared) ? shared : own;
  const now = performance.now();
  const free = among.filter((id) => (beliefs.get(id)?.from ?? 0) <= now);
  return free[random.below(free.length)];
}

async function moveOne(mover: Mover, id: number, state: string, token: string): Promise<Belief> {
  const way = state === 'ready' ? pick(mover.random) : { to: 'ready', restMs: 0 };
  const answer = await sendMove(mover, { token, move: { experiment: id, to: way.to } }, state);
  const now = performance.now();
  if (answer.outcome === 'ok') {
    mover.onMoved();
    return { state: way.restMs > 0 ? 'ready' : way.to, from: now + way.restMs };
  }
  const seen: unknown = answer.body?.state?.label;
  const rests = seen === 'back' ? 'back' : 'ready';
  return { state: rests, from: seen === rests ? now : now + pauseAfterRefusalMs };
}

function pick(random: Random) {
  let left = random.next();
  const found = ways.find(({ share }) => (left -= share) < 0);
  return found ?? { to: 'back', restMs: 0 };
}

async function sendMove({ journal, random }: Mover, wanted: Wanted, expected: string): Promise<Answer> {
  const request = moveRequest(wanted, expected);
  if (random.chance(shareOfTwins)) {
    const twins = await Promise.all([journal.attempt(wanted, 1, request), journal.attempt(wanted, 2, request)]);
    const known = twins.find(({ outcome }) => outcome !== 'unknown');
    return known ?? journal.attempt(wanted, 3, request);
  }
  return journal.insist(wanted, request, random.chance(shareOfUnrepeated) ? { last: 1 } : {});
}

export const moveRequest = ({ token, move }: Wanted, expected: string): Request => ({
  method: 'PUT',
  path: `/experiments/${move?.experiment}/state`,
  body: { state_label: move?.to, freetext: token, expected_state: expected },
});
