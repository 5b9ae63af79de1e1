/** One change to many experiments: checks it, shows the check, asks, applies it, and waits for its end. */
import type { Client } from '@milepost/api/client';
import { Failure } from '../run/failure.ts';
import { confirm } from '../contexts/prompt.ts';
import { note } from '../output/write-output.ts';
import { followWork, type Followed } from './follow-work.ts';

type Body = Parameters<Client['createBulkOperation']>[0]['body'];
export type BulkOperation = Awaited<ReturnType<Client['getBulkOperation']>>;

export interface BulkChoices {
  reason: string | undefined;
  dryRun: boolean;
  isConfirmed: boolean;
  detach: boolean;
}

export const bulkColumns = [
  'id',
  'kind',
  'status',
  'query',
  'experiments',
  'ready',
  'done',
  'refused',
  'reason',
  'author.name',
];

const number = (value: number) => value.toLocaleString('en-US');
const counted = (value: number) => `${number(value)} ${value === 1 ? 'experiment' : 'experiments'}`;

export const followedBulk = (client: Client, { id }: { id: number }): Followed<BulkOperation> => ({
  what: ({ applied }) => (applied ? 'experiments changed' : 'experiments checked'),
  name: `Bulk operation ${id}`,
  counts: ({ done, ready, refused, experiments, applied }) =>
    applied ? { done, total: experiments } : { done: ready + refused, total: 0 },
  read: () => client.getBulkOperation({ params: { id } }),
  stop: () => client.stopBulkOperation({ params: { id } }),
  stopCommand: `milepost bulk stop ${id}`,
});

export async function runBulk(client: Client, body: Body, choices: BulkChoices): Promise<BulkOperation> {
  const made = await client.createBulkOperation({ body: { ...body, dry_run: true } });
  const followed = followedBulk(client, made);
  const checked = await followWork(made, followed);
  tellRefusals(checked);
  note(`${number(checked.ready)} of ${counted(checked.experiments)} would change.`);
  if (choices.dryRun || checked.ready === 0) return checked;
  await confirm(`Change ${counted(checked.ready)}?`, choices.isConfirmed);
  const reason = choices.reason ?? `milepost bulk ${body.kind}`;
  const running = await client.applyBulkOperation({ params: { id: made.id }, body: { reason } });
  if (choices.detach) {
    note(`Bulk operation ${made.id} continues on the server. See: milepost bulk show ${made.id}`);
    return running;
  }
  return finish(await followWork(running, followed));
}

export function tellRefusals({ refusals }: BulkOperation): void {
  for (const { experiments, detail, code } of refusals) note(`Refused: ${number(experiments)} (${code}). ${detail}`);
}

/** Refused experiments are a failure, so that a script notices them. */
export function finish(ended: BulkOperation): BulkOperation {
  note(`Changed ${number(ended.done)} of ${counted(ended.experiments)}.`);
  if (ended.status === 'finished' && ended.refused === 0) return ended;
  tellRefusals(ended);
  const why = ended.stopped_because ?? (ended.status === 'finished' ? undefined : `It is ${ended.status}.`);
  const message = why ?? `${number(ended.refused)} experiments were refused.`;
  throw new Failure('failed', message, `See them with: milepost bulk items ${ended.id} --result refused`);
}
