/**
 * The simulated cluster: a pulling worker for conversions and segmentations. It renews its claims and logs its progress.
 * Sometimes a run fails or stops without a report, as on real cluster nodes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Client } from '@milepost/api';
import { between, createCounter, fate } from './fate.ts';
import { repeat, type Log, type Stoppable } from './repeat.ts';

const nodes = 8;
const renewMs = 4000;

type Claim = Awaited<ReturnType<Client['claimExecutions']>>['claims'][number];

export interface ClusterOptions {
  client: Client;
  baseUrl: string;
  log: Log;
}

export function startCluster({ client, baseUrl, log }: ClusterOptions): Stoppable {
  const running = new Set<Promise<void>>();
  const count = createCounter();
  const claim = async (signal: AbortSignal) => {
    if (running.size === nodes) await Promise.race(running);
    const max = nodes - running.size;
    // The request is not aborted on stop: executions that the server has just handed out would be lost until their lease expires.
    const body = { queues: ['conversion', 'segmentation'], max, wait_seconds: 1 };
    const { claims } = await client.claimExecutions({ body });
    for (const claimed of claims) {
      const time = count(`${claimed.queue} ${claimed.experiment.label}`);
      const one = run({ claim: claimed, time, baseUrl, signal })
        // An execution without a report goes to another worker when its lease expires.
        .catch(() => undefined)
        .finally(() => running.delete(one));
      running.add(one);
    }
  };
  const claiming = repeat(() => 100, claim, log);
  return {
    stop: async () => {
      await claiming.stop();
      await Promise.all(running);
    },
  };
}

interface Run {
  claim: Claim;
  /** 1 for the first claim of this experiment and queue. */
  time: number;
  baseUrl: string;
  signal: AbortSignal;
}

async function run({ claim, time, baseUrl, signal }: Run): Promise<void> {
  const client = createClient({ baseUrl, authorization: `Bearer ${claim.secret}` });
  const { id } = claim.execution;
  const chance = (name: string) => fate(name, claim.queue, claim.experiment.label, time);
  const [least, most] = claim.queue === 'conversion' ? [1500, 3500] : [5000, 11_000];
  const steps = Math.ceil(between(least, most, chance('duration')) / renewMs);
  const dies = chance('dies') < 0.01;
  for (let step = 1; step <= steps; step++) {
    await sleep(between(least, most, chance('duration')) / steps, undefined, { signal });
    if (dies) return;
    const log = `${claim.experiment.label}: ${Math.round((100 * step) / steps)} %\n`;
    const { continue: continues } = await client.renewClaim({ params: { execution_id: id }, body: { log }, signal });
    if (!continues) return;
  }
  const end = chance('fails') < 0.04 ? failure : { result: 'success' as const, result_values: values(claim) };
  await client.updateCallbackExecution({ params: { id }, body: { status: 'finished', ...end }, signal, fields: 'id' });
}

const failure = { result: 'failed' as const, result_log: 'Out of memory: 16.2 GB required, 16 GB allowed.' };

const values = ({ queue, experiment: { label } }: Claim): Record<string, unknown> =>
  queue === 'conversion'
    ? { files: between(5, 9, fate('series', label)) }
    : { hippocampus_ml: between(2.1, 4.4, fate('volume', label), 2) };
