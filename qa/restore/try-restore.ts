/** The installation's life: work, backup, more work, a moment, more work, death, and what becomes of it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInstallation, type Cluster } from './cluster.ts';
import { makeKey, startInstallation } from './installation.ts';
import { judgeArchive } from './judge-archive.ts';
import { countCheckpoints, judgeMoves, nowIn, openExecutions, verify, type Hold, type Moment } from './judge.ts';
import { createStudy, done, startLoad, type Load } from './load.ts';
import { runBlock } from './page.ts';
import { until } from './until.ts';

const experiments = 12;

export interface Telling {
  say: (text: string) => void;
  hold: Hold;
}

export async function tryRestore(cluster: Cluster, receiver: string, telling: Telling): Promise<void> {
  const { shell, url } = cluster;
  const roles = await createInstallation(cluster);
  await makeKey(shell.environment);
  const trial = {
    ...telling,
    cluster,
    start: (port?: number) =>
      startInstallation({ key: shell.environment['KEY'] ?? '', databaseUrl: url(roles.app, port), receiver }),
    receiver,
    ...roles,
  };
  const life = await liveAndDie(trial);
  await runBlock('Go back to a moment', withVariables(cluster, { TARGET: life.target.text })).catch(
    async (cause: unknown) => {
      const log = await readFile(join(shell.environment['RESTORED'] ?? '', 'restore.log'), 'utf8').catch(String);
      throw new Error(`PostgreSQL did not come back:\n${log}`, { cause });
    },
  );
  telling.say('restored');
  await goOn(trial, life);
}

type Trial = Telling & { cluster: Cluster; receiver: string; app: string; backup: string } & {
  start: (port?: number) => ReturnType<typeof startInstallation>;
};

interface Life {
  ids: number[];
  load: Load;
  target: Moment;
}

const withVariables = ({ shell }: Cluster, more: Record<string, string>) => ({
  ...shell,
  environment: { ...shell.environment, ...more },
});

async function liveAndDie({ cluster, start, receiver, backup, say, hold }: Trial): Promise<Life> {
  const url = cluster.url('postgres');
  const running = await start();
  const ids = await createStudy(running.baseUrl, receiver, experiments);
  await running.startWorker();
  const load = startLoad(running.baseUrl, ids);
  await until(() => done(load) > 200);
  const before = done(load);
  await runBlock('Take a base backup', withVariables(cluster, { PGUSER: backup }));
  hold(done(load) > before, `a base backup was taken, and ${done(load) - before} moves meanwhile`);
  await judgeArchive(hold, url, cluster.shell.environment['ARCHIVE'] ?? '');
  // A worker signs a checkpoint when it starts.
  await running.startWorker();
  await until(async () => (await countCheckpoints(url)) > 1);
  await until(() => done(load) > before + 400);
  const target = await nowIn(url);
  const atTarget = done(load);
  await until(() => done(load) > atTarget + 200);
  say(`the moment is ${target.text}; ${done(load) - atTarget} moves after it, everything is killed`);
  await Promise.all([cluster.kill(), ...running.all().map((one) => one.stop('SIGKILL'))]);
  await load.stop();
  return { ids, load, target };
}

async function goOn({ cluster, start, app, hold }: Trial, { ids, load, target }: Life): Promise<void> {
  const { environment } = cluster.shell;
  const port = Number(environment['RESTORED_PORT']);
  const [url, appUrl] = [cluster.url('postgres', port), cluster.url(app, port)];
  await judgeMoves(hold, load, target, url);
  const open = await openExecutions(url);
  hold(open > 0, `${open} executions were queued or running at the moment`);
  await verify(hold, environment, appUrl);
  const running = await start(port);
  await running.startWorker();
  await until(async () => (await openExecutions(url)) === 0, 90_000);
  hold((await openExecutions(url)) === 0, 'all of them ended after the start of server and worker');
  const again = startLoad(running.baseUrl, ids);
  await until(() => done(again) > 50);
  await again.stop();
  hold(done(again) > 50, 'people move on');
  await Promise.all(running.all().map((one) => one.stop()));
  const onRestored = withVariables(cluster, { PGPORT: String(port) });
  await runBlock('Dump', onRestored);
  await runBlock('Restore a dump', onRestored);
  await verify(hold, environment, cluster.url(app, port, environment['COPY']));
}
