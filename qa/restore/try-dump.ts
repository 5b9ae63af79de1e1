/**
 * Restores a dump into another cluster, in which transaction ids start again. The history must verify there, clients must be
 * able to move experiments, and workers must continue to sign checkpoints.
 */
import { createRoles, startCluster } from './cluster.ts';
import { countCheckpoints, isBehindLastCheckpoint, checkMovesContinue, verify } from './check-restored.ts';
import { checkEventReaders, lastEvent } from './check-event-readers.ts';
import { runBlock, withVariables, type Shell } from './page.ts';
import { ownersAndGrants } from './owners-and-grants.ts';
import type { Trial } from './trial.ts';
import { until } from './until.ts';

/** `from` and `source` connect to the dumped database. */
export async function tryDump(
  { start, app, log, check }: Trial,
  { from, source }: { from: Shell; source: string },
  ids: readonly number[],
): Promise<void> {
  const position = await lastEvent(source);
  await runBlock('Dump', from);
  const other = await startCluster('plain');
  try {
    await createRoles(other);
    const { PGPORT = '' } = other.shell.environment;
    const target = withVariables(from, { PGPORT });
    await runBlock('Restore a dump', target);
    await runBlock('Empty the events', target);
    log('restored a dump into another cluster');
    const { COPY } = from.environment;
    const [url, appUrl] = [other.url('postgres', undefined, COPY), other.url(app, undefined, COPY)];
    const [dumped, restored] = [await ownersAndGrants(source), await ownersAndGrants(url)];
    check(
      restored.length > 50 && restored.join() === dumped.join(),
      `${restored.length} owners and grants are as dumped`,
    );
    await verify(check, from.environment, appUrl);
    check(await isBehindLastCheckpoint(url), 'new transaction ids are smaller than the signed ones');
    const signed = await countCheckpoints(url);
    const running = await start(appUrl);
    await checkEventReaders(check, running.baseUrl, position);
    await checkMovesContinue(check, running.baseUrl, ids);
    // A worker signs a checkpoint when it starts.
    await running.startWorker();
    await until(async () => (await countCheckpoints(url)) > signed);
    check((await countCheckpoints(url)) > signed, 'new entries are signed');
    await Promise.all(running.all().map((one) => one.stop()));
    await verify(check, from.environment, appUrl);
  } finally {
    await other.remove();
  }
}
