/**
 * A program that pulls executions. Some it forgets for longer than its lease lasts, and reports on them as if nothing had
 * been: by then they are somebody else's, and it must be refused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { pulledQueue } from '../place/settings.ts';
import type { Place } from '../place/place.ts';
import type { Random } from '../random.ts';
import type { Journal } from './journal.ts';
import { send } from './requests.ts';

export interface Puller {
  name: string;
  open: Place['open'];
  journal: Journal;
  random: Random;
  /** No more is forgotten from here on. */
  calm: AbortSignal;
  /** No more is taken from here on. */
  signal: AbortSignal;
}

interface Claim {
  execution: { id: number };
  attempt: number;
  secret: string;
}

const shareOfForgotten = 0.25;
const mostForgotten = 20;
/** The lease lasts 20 s, and is looked at every 5 s. */
const forgottenMs = 30_000;

export async function pull(puller: Puller): Promise<void> {
  const { random, signal, calm } = puller;
  const reporting = new Set<Promise<void>>();
  let forgotten = 0;
  while (!signal.aborted) {
    const servers = puller.open();
    const claims = await claim(servers[random.below(servers.length)]?.current().baseUrl ?? '');
    if (claims === undefined) await sleep(200);
    for (const one of claims ?? []) {
      const forgets = !calm.aborted && forgotten < mostForgotten && random.chance(shareOfForgotten);
      if (forgets) forgotten++;
      const ended = report(puller, one, forgets ? forgottenMs : 0).finally(() => reporting.delete(ended));
      reporting.add(ended);
    }
  }
  await Promise.all(reporting);
}

/** Undefined where there was no answer: what it may have given is lost with it, until its lease is over. */
async function claim(baseUrl: string): Promise<Claim[] | undefined> {
  const body = { queues: [pulledQueue], max: 5, wait_seconds: 1 };
  const answer = await send(baseUrl, { method: 'POST', path: '/worker/claims', body });
  return answer.outcome === 'ok' ? answer.body.claims : undefined;
}

async function report({ name, journal }: Puller, { execution, attempt, secret }: Claim, afterMs: number) {
  await sleep(afterMs);
  const token = `${name}-${execution.id}-${attempt}`;
  await journal.insist(
    { token, report: { execution: execution.id, attempt } },
    {
      method: 'PUT',
      path: `/callback_executions/${execution.id}`,
      secret,
      body: { status: 'finished', result: 'success', result_values: { token } },
    },
  );
}
