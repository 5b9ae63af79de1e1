/**
 * A dump, brought into a cluster in which numbers of transactions start anew: the history verifies there, people move on, and
 * workers go on signing.
 */
import { createRoles, startCluster } from './cluster.ts';
import { countCheckpoints, verify } from './judge.ts';
import { moveOn } from './load.ts';
import { runBlock, withVariables, type Shell } from './page.ts';
import type { Trial } from './trial.ts';
import { until } from './until.ts';

/** `from` reaches the database that is dumped. */
export async function tryDump({ start, app, say, hold }: Trial, from: Shell, ids: readonly number[]): Promise<void> {
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
    const signed = await countCheckpoints(url);
    const running = await start(appUrl);
    await moveOn(hold, running.baseUrl, ids);
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
