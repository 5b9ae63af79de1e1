/** One change to many experiments: checks it, shows the check, asks, applies it, and waits for its end. */
import type { Client } from '@milepost/api/client';
import { Failure, usage } from '../run/failure.ts';
import { ask, confirm, hasTerminal, requireConfirmable } from '../contexts/prompt.ts';
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

export const changedOf = ({ done, experiments }: Pick<BulkOperation, 'done' | 'experiments'>): string =>
  `${number(done)} of ${number(experiments)} experiments changed.`;

export const followedBulk = (client: Client, { id }: { id: number }): Followed<BulkOperation> => ({
  what: ({ applied }) => (applied ? 'experiments' : 'experiments checked'),
  name: `Bulk operation ${id}`,
  counts: ({ done, ready, refused, experiments, applied }) =>
    applied ? { done: done + refused, total: experiments } : { done: ready + refused, total: 0 },
  changed: changedOf,
  read: () => client.getBulkOperation({ params: { id } }),
  stop: () => client.stopBulkOperation({ params: { id } }),
  showCommand: `milepost bulk show ${id}`,
  stopCommand: `milepost bulk stop ${id}`,
});

/** Returns the operation as it ended. Callers print it, and then call `requireComplete`. */
export async function runBulk(client: Client, body: Body, choices: BulkChoices): Promise<BulkOperation> {
  if (!choices.dryRun) {
    requireReason(choices.reason);
    requireConfirmable(choices.isConfirmed);
  }
  const made = await client.createBulkOperation({ body: { ...body, dry_run: true } });
  const checked = await followWork(made, followedBulk(client, made));
  tellRefusals(checked);
  note(`Bulk operation ${made.id}: ${number(checked.ready)} of ${counted(checked.experiments)} would change.`);
  if (choices.dryRun || checked.status !== 'checked' || checked.ready === 0) return checked;
  const reason = choices.reason ?? (await askReason());
  await confirm(`Change ${counted(checked.ready)}?`, choices.isConfirmed);
  return waitForEnd(
    client,
    await client.applyBulkOperation({ params: { id: made.id }, body: { reason } }),
    choices.detach,
  );
}

/** Of a running operation. With `detach`, it continues on the server. */
export async function waitForEnd(client: Client, running: BulkOperation, detach: boolean): Promise<BulkOperation> {
  if (detach) {
    note(`Bulk operation ${running.id} continues on the server. See: milepost bulk show ${running.id}`);
    return running;
  }
  const ended = await followWork(running, followedBulk(client, running));
  tellRefusals(ended);
  return ended;
}

/** Before the check, which can take long. Auditors read the reason, so it is never made up. */
function requireReason(reason: string | undefined): void {
  if (reason === '') throw usage('--reason must not be empty.');
  if (reason === undefined && !hasTerminal())
    throw usage('There is no terminal to ask for a reason.', 'Add --reason TEXT, and --yes to confirm.');
}

async function askReason(): Promise<string> {
  const reason = await ask('Reason: ');
  if (reason === '') throw new Failure('failed', 'A reason is required. Nothing was changed.');
  return reason;
}

export function tellRefusals({ refusals }: BulkOperation): void {
  for (const { experiments, detail, code } of refusals) note(`Refused: ${number(experiments)} (${code}). ${detail}`);
}

/** Refused experiments are a failure, so that a script notices them. A detached operation is still running. */
export function requireComplete({ id, status, applied, refused, done, experiments, ...ended }: BulkOperation): void {
  if (applied && status !== 'running') note(`Changed ${number(done)} of ${counted(experiments)}.`);
  if (status === 'paused')
    throw new Failure('failed', `Bulk operation ${id} is paused.`, `Continue with: milepost bulk resume ${id}`);
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
