/**
 * Simulated failures of an external system: temporary overload, permanent errors and slow responses. The label of the
 * experiment decides what happens to the first request; a repeated request can have another outcome.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { between, createCounter, fate } from './fate.ts';
import type { JsonRequest, JsonResponse } from './serve-json.ts';

/** Returns the body of a successful response. `time` is 1 for the first request about a session. */
export type Step = (session: string, time: number, body: JsonRequest['body']) => Record<string, unknown>;

export interface Steps {
  steps: Readonly<Record<string, Step>>;
  /** The message of a step's permanent error. */
  errors: Readonly<Record<string, string>>;
}

const temporaryShare = 0.06;
const permanentShare = 0.025;
const slowShare = 0.02;

export function withFailures({ steps, errors }: Steps): (request: JsonRequest) => Promise<JsonResponse> {
  const count = createCounter();
  return async ({ name, session, body }) => {
    const step = steps[name];
    if (!step) return { status: 404, body: { message: `No service at ${name}.` } };
    const time = count(`${name} ${session}`);
    await sleep(delay(name, session, time));
    if (fate('passing', name, session, time) < temporaryShare) {
      return { status: 503, body: { message: 'The service is overloaded. Try again later.' } };
    }
    if (failsPermanently(name, session, time) && errors[name] !== undefined) {
      return { status: 422, body: { message: errors[name] } };
    }
    return { status: 200, body: step(session, time, body) };
  };
}

export const failsPermanently = (name: string, session: string, time: number): boolean =>
  fate('lasting', name, session, time) < permanentShare;

/** Mostly well below a second, but sometimes long enough to be noticed. */
function delay(name: string, session: string, time: number): number {
  const chance = fate('slow', name, session, time);
  return chance < slowShare ? between(15_000, 25_000, chance / slowShare) : between(150, 900, chance);
}
