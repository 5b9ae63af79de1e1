/**
 * The cluster of the demo: a worker that pulls conversions and segmentations, keeps its claims, tells how far it is, and
 * sometimes gives up or falls silent in the middle, as nodes of clusters do.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Client } from '@milepost/api';
import { between, counting, fate } from './fate.ts';
import { rounds, type Going, type Tell } from './rounds.ts';

const nodes = 8;
const renewMs = 4000;

type Claim = Awaited<ReturnType<Client['claimExecutions']>>['claims'][number];

export interface ClusterOptions {
  client: Client;
  baseUrl: string;
  tell: Tell;
}

export function startCluster({ client, baseUrl, tell }: ClusterOptions): Going {
  const running = new Set<Promise<void>>();
  const count = counting();
  const take = async (signal: AbortSignal) => {
    if (running.size === nodes) await Promise.race(running);
    const max = nodes - running.size;
    // Not called off in the middle: what the server is about to give out would be lost for as long as its lease.
    const body = { queues: ['conversion', 'segmentation'], max, wait_seconds: 1 };
    const { claims } = await client.claimExecutions({ body });
    for (const claim of claims) {
      const time = count(`${claim.queue} ${claim.experiment.label}`);
      const one = run({ claim, time, baseUrl, signal })
        // Whatever is not reported is given to another when the lease is over.
        .catch(() => undefined)
        .finally(() => running.delete(one));
      running.add(one);
    }
  };
  const taking = rounds(() => 100, take, tell);
  return {
    stop: async () => {
      await taking.stop();
      await Promise.all(running);
    },
  };
}

interface Run {
  claim: Claim;
  /** How often this was taken. */
  time: number;
  baseUrl: string;
  signal: AbortSignal;
}

async function run({ claim, time, baseUrl, signal }: Run): Promise<void> {
  const client = createClient({ baseUrl, authorization: `Bearer ${claim.secret}` });
  const { id } = claim.execution;
  const chance = (what: string) => fate(what, claim.queue, claim.experiment.label, time);
  const [least, most] = claim.queue === 'conversion' ? [1500, 3500] : [5000, 11_000];
  const steps = Math.ceil(between(least, most, chance('duration')) / renewMs);
  const dies = chance('dies') < 0.01;
  for (let step = 1; step <= steps; step++) {
    await sleep(between(least, most, chance('duration')) / steps, undefined, { signal });
    if (dies) return;
    const log = `${claim.experiment.label}: ${Math.round((100 * step) / steps)} %\n`;
    const { continue: goesOn } = await client.renewClaim({ params: { execution_id: id }, body: { log }, signal });
    if (!goesOn) return;
  }
  const end = chance('fails') < 0.04 ? gaveUp : { result: 'success' as const, result_values: values(claim) };
  await client.updateCallbackExecution({ params: { id }, body: { status: 'finished', ...end }, signal, fields: 'id' });
}

const gaveUp = { result: 'failed' as const, result_log: 'Out of memory: 16.2 GB were needed, 16 GB are allowed' };

const values = ({ queue, experiment: { label } }: Claim): Record<string, unknown> =>
  queue === 'conversion'
    ? { files: between(5, 9, fate('series', label)) }
    : { hippocampus_ml: between(2.1, 4.4, fate('volume', label), 2) };
