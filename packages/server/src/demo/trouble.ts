/**
 * What goes wrong at a system that the demo plays, as it does at real ones: overload that passes, refusals that do not, and
 * answers that take long. The first time is decided by the label of the experiment; another try has another fate.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { between, counting, fate } from './fate.ts';
import type { Answered, Asked } from './serve-json.ts';

/** Answers the result values, or a refusal in words. */
export type Step = (session: string, time: number, body: Asked['body']) => Record<string, unknown>;

export interface Steps {
  steps: Readonly<Record<string, Step>>;
  /** Why each of them refuses for good, now and then. */
  refusals: Readonly<Record<string, string>>;
}

const passing = 0.06;
const lasting = 0.025;
const hanging = 0.02;

export function troubled({ steps, refusals }: Steps): (asked: Asked) => Promise<Answered> {
  const count = counting();
  return async ({ what, session, body }) => {
    const step = steps[what];
    if (!step) return { status: 404, body: { message: `There is nothing at ${what}` } };
    const time = count(`${what} ${session}`);
    await sleep(slowness(what, session, time));
    if (fate('passing', what, session, time) < passing) return { status: 503, body: { message: 'Too much to do' } };
    if (refuses(what, session, time) && refusals[what] !== undefined) {
      return { status: 422, body: { message: refusals[what] } };
    }
    return { status: 200, body: step(session, time, body) };
  };
}

export const refuses = (what: string, session: string, time: number): boolean =>
  fate('lasting', what, session, time) < lasting;

/** Mostly well below a second; now and then long enough that somebody notices. */
function slowness(what: string, session: string, time: number): number {
  const chance = fate('slow', what, session, time);
  return chance < hanging ? between(15_000, 25_000, chance / hanging) : between(150, 900, chance);
}
