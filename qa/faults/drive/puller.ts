/**
 * A program that pulls executions. Some it forgets until another attempt has taken over, and then reports on them as if
 * nothing had happened: the report must be refused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { finds } from '../place/ask.ts';
import { pulledQueue } from '../place/settings.ts';
import type { Place } from '../place/place.ts';
import type { Random } from '../random.ts';
import { until } from '../until.ts';
import type { Journal } from './journal.ts';
import { send } from './requests.ts';

export interface Puller {
  name: string;
  open: Place['open'];
  postgres: Place['postgres'];
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

export async function pull(puller: Puller): Promise<void> {
  const { random, signal, calm } = puller;
  const reporting = new Set<Promise<void>>();
  let forgotten = 0;
  while (!signal.aborted) {
    const servers = puller.open();
    const claims = await claim(servers[random.below(servers.length)]?.current().baseUrl ?? '');
    if (claims === undefined) await sleep(200);
    for (const one of claims ?? []) {
      // The first one always, so that every run meets the refusal.
      const isChosen = forgotten === 0 || (forgotten < mostForgotten && random.chance(shareOfForgotten));
      const forgets = !calm.aborted && isChosen;
      if (forgets) forgotten++;
      const ended = reportOn(puller, one, forgets).finally(() => reporting.delete(ended));
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

async function reportOn(puller: Puller, claimed: Claim, forgets: boolean): Promise<void> {
  if (forgets) await untilTakenOver(puller, claimed);
  await report(puller, claimed);
}

/** Or until it has ended without another attempt. */
const untilTakenOver = ({ postgres, signal }: Puller, { execution, attempt }: Claim) =>
  until(
    'another attempt takes over a forgotten execution',
    async () => signal.aborted || (await finds(postgres, takenOver, [execution.id, attempt])),
    500,
  );
const takenOver = 'select from callback_executions where id = $1 and (attempt > $2 or finished is not null)';

async function report({ name, journal }: Puller, { execution, attempt, secret }: Claim) {
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
