/**
 * A pulling worker. It abandons some executions until another attempt has taken over, and then reports on them. These reports
 * must be rejected.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { finds } from '../testbed/query.ts';
import { pulledQueue } from '../testbed/settings.ts';
import type { Testbed } from '../testbed/testbed.ts';
import type { Random } from '../random.ts';
import { until } from '../until.ts';
import type { Journal } from './journal.ts';
import { send } from './requests.ts';

export interface Puller {
  name: string;
  open: Testbed['open'];
  postgres: Testbed['postgres'];
  journal: Journal;
  random: Random;
  /** Stops abandoning executions. */
  calm: AbortSignal;
  /** Stops claiming executions. */
  signal: AbortSignal;
}

interface Claim {
  execution: { id: number };
  attempt: number;
  secret: string;
}

const shareOfAbandoned = 0.25;
const maxAbandoned = 20;

export async function pull(puller: Puller): Promise<void> {
  const { random, signal, calm } = puller;
  const reporting = new Set<Promise<void>>();
  let abandoned = 0;
  while (!signal.aborted) {
    const servers = puller.open();
    const claims = await claim(servers[random.below(servers.length)]?.current().baseUrl ?? '');
    if (claims === undefined) await sleep(200);
    for (const one of claims ?? []) {
      // The first one is always abandoned, so that every run has a rejected report.
      const isChosen = abandoned === 0 || (abandoned < maxAbandoned && random.chance(shareOfAbandoned));
      const abandons = !calm.aborted && isChosen;
      if (abandons) abandoned++;
      const reported = reportOn(puller, one, abandons).finally(() => reporting.delete(reported));
      reporting.add(reported);
    }
  }
  await Promise.all(reporting);
}

/** Undefined if there was no response. Claims in a lost response are lost until their lease expires. */
async function claim(baseUrl: string): Promise<Claim[] | undefined> {
  const body = { queues: [pulledQueue], max: 5, wait_seconds: 1 };
  const result = await send(baseUrl, { method: 'POST', path: '/worker/claims', body });
  return result.outcome === 'ok' ? result.body.claims : undefined;
}

async function reportOn(puller: Puller, claimed: Claim, abandons: boolean): Promise<void> {
  if (abandons) await untilTakenOver(puller, claimed);
  await report(puller, claimed);
}

/** Also returns if the execution has finished without another attempt. */
const untilTakenOver = ({ postgres, signal }: Puller, { execution, attempt }: Claim) =>
  until(
    'another attempt takes over an abandoned execution',
    async () => signal.aborted || (await finds(postgres, takenOver, [execution.id, attempt])),
    500,
  );
const takenOver = 'select from callback_executions where id = $1 and (attempt > $2 or finished is not null)';

async function report({ name, journal }: Puller, { execution, attempt, secret }: Claim) {
  const token = `${name}-${execution.id}-${attempt}`;
  await journal.retry(
    { token, report: { execution: execution.id, attempt } },
    {
      method: 'PUT',
      path: `/callback_executions/${execution.id}`,
      secret,
      body: { status: 'finished', result: 'success', result_values: { token } },
    },
  );
}
