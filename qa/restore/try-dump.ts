/**
 * A dump, brought into a cluster in which numbers of transactions start anew: the history verifies there, people move on, and
 * workers go on signing.
 */
import { createRoles, startCluster } from './cluster.ts';
import { countCheckpoints, isBehindLastCheckpoint, peopleMoveOn, verify } from './judge.ts';
import { judgeReaders, lastEvent } from './judge-readers.ts';
import { runBlock, withVariables, type Shell } from './page.ts';
import type { Trial } from './trial.ts';
import { until } from './until.ts';

/** `from` and `source` reach the database that is dumped. */
export async function tryDump(
  { start, app, say, hold }: Trial,
  { from, source }: { from: Shell; source: string },
  ids: readonly number[],
): Promise<void> {
  const position = await lastEvent(source);
  await runBlock('Dump', from);
  const other = await startCluster('plain');
  try {
    await createRoles(other);
    const { PGPORT = '' } = other.shell.environment;
    const there = withVariables(from, { PGPORT });
    await runBlock('Restore a dump', there);
    await runBlock('Empty the events', there);
    say('a dump was restored into another cluster');
    const { COPY } = from.environment;
    const [url, appUrl] = [other.url('postgres', undefined, COPY), other.url(app, undefined, COPY)];
    await verify(hold, from.environment, appUrl);
    hold(await isBehindLastCheckpoint(url), 'numbers of transactions are smaller there than those that were signed');
    const signed = await countCheckpoints(url);
    const running = await start(appUrl);
    await judgeReaders(hold, running.baseUrl, position);
    await peopleMoveOn(hold, running.baseUrl, ids);
    // A worker signs a checkpoint when it starts.
    await running.startWorker();
    await until(async () => (await countCheckpoints(url)) > signed);
    hold((await countCheckpoints(url)) > signed, 'what was written there is signed, too');
    await Promise.all(running.all().map((one) => one.stop()));
    await verify(hold, from.environment, appUrl);
  } finally {
    await other.remove();
  }
}
