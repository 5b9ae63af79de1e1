/** One change to many experiments: checks it, shows the check, asks, applies it, and waits for its end. */
import type { Client } from '@milepost/api/client';
import { Failure } from '../run/failure.ts';
import { confirm, requireConfirmable } from '../contexts/prompt.ts';
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
  what: ({ applied }) => (applied ? 'experiments' : 'experiments checked'),
  name: `Bulk operation ${id}`,
  counts: ({ done, ready, refused, experiments, applied }) =>
    applied ? { done: done + refused, total: experiments } : { done: ready + refused, total: 0 },
  changed: ({ done, experiments }) => `${number(done)} of ${number(experiments)} experiments changed.`,
  read: () => client.getBulkOperation({ params: { id } }),
  stop: () => client.stopBulkOperation({ params: { id } }),
  stopCommand: `milepost bulk stop ${id}`,
});

/** Returns the operation as it ended. Callers print it, and then call `requireComplete`. */
export async function runBulk(client: Client, body: Body, choices: BulkChoices): Promise<BulkOperation> {
  if (!choices.dryRun) requireConfirmable(choices.isConfirmed);
  const made = await client.createBulkOperation({ body: { ...body, dry_run: true } });
  const followed = followedBulk(client, made);
  const checked = await followWork(made, followed);
  tellRefusals(checked);
  note(`${number(checked.ready)} of ${counted(checked.experiments)} would change.`);
  if (choices.dryRun || checked.status !== 'checked' || checked.ready === 0) return checked;
  await confirm(`Change ${counted(checked.ready)}?`, choices.isConfirmed);
  const reason = choices.reason ?? `milepost bulk ${body.kind}`;
  const running = await client.applyBulkOperation({ params: { id: made.id }, body: { reason } });
  if (choices.detach) {
    note(`Bulk operation ${made.id} continues on the server. See: milepost bulk show ${made.id}`);
    return running;
  }
  const ended = await followWork(running, followed);
  tellRefusals(ended);
  return ended;
}

export function tellRefusals({ refusals }: BulkOperation): void {
  for (const { experiments, detail, code } of refusals) note(`Refused: ${number(experiments)} (${code}). ${detail}`);
}

/** Refused experiments are a failure, so that a script notices them. A detached operation is still running. */
export function requireComplete({ id, status, applied, refused, done, experiments, ...ended }: BulkOperation): void {
  if (applied && status !== 'running') note(`Changed ${number(done)} of ${counted(experiments)}.`);
  if (![applied ? 'finished' : 'checked', 'running'].includes(status))
    throw new Failure(
      'failed',
      ended.stopped_because ?? `Bulk operation ${id} is ${status}.`,
      `See: milepost bulk show ${id}`,
    );
  if (refused > 0)
    throw new Failure(
      'failed',
      `${counted(refused)} refused.`,
      `See them with: milepost bulk items ${id} --result refused`,
    );
}
