/** The installation's life: work, backup, more work, a moment, more work, death, and what becomes of it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInstallation, type Cluster } from './cluster.ts';
import { makeKey, startInstallation } from './installation.ts';
import { judgeArchive } from './judge-archive.ts';
import { countCheckpoints, judgeMoves, nowIn, openExecutions, peopleMoveOn, verify, type Moment } from './judge.ts';
import { createStudy, done, startLoad, type Load } from './load.ts';
import { runBlock, withVariables } from './page.ts';
import type { Telling, Trial } from './trial.ts';
import { tryDump } from './try-dump.ts';
import { until } from './until.ts';

const experiments = 12;

export async function tryRestore(cluster: Cluster, receiver: string, telling: Telling): Promise<void> {
  const { shell, url } = cluster;
  const roles = await createInstallation(cluster);
  await makeKey(shell.environment);
  const trial = {
    ...telling,
    cluster,
    start: (databaseUrl = url(roles.app)) =>
      startInstallation({ key: shell.environment['KEY'] ?? '', databaseUrl, receiver }),
    receiver,
    ...roles,
  };
  const life = await liveAndDie(trial);
  await runBlock('Go back to a moment', withVariables(shell, { TARGET: life.target.text })).catch(
    async (cause: unknown) => {
      const log = await readFile(join(shell.environment['RESTORED'] ?? '', 'restore.log'), 'utf8').catch(String);
      throw new Error(`PostgreSQL did not come back:\n${log}`, { cause });
    },
  );
  telling.say('restored');
  await goOn(trial, life);
}

interface Life {
  ids: number[];
  load: Load;
  target: Moment;
}

async function liveAndDie({ cluster, start, receiver, backup, say, hold }: Trial): Promise<Life> {
  const url = cluster.url('postgres');
  const running = await start();
  const ids = await createStudy(running.baseUrl, receiver, experiments);
  await running.startWorker();
  const load = startLoad(running.baseUrl, ids);
  await until(() => done(load) > 200);
  const [before, backupFrom] = [done(load), Date.now()];
  await runBlock('Take a base backup', withVariables(cluster.shell, { PGUSER: backup }));
  const backupTo = Date.now();
  await judgeArchive(hold, url, cluster.shell.environment['ARCHIVE'] ?? '');
  // A worker signs a checkpoint when it starts.
  await running.startWorker();
  await until(async () => (await countCheckpoints(url)) > 1);
  await until(() => done(load) > before + 400);
  const underWay = load.moves.filter(({ sentAt, doneAt = 0 }) => sentAt < backupTo && doneAt > backupFrom).length;
  hold(underWay > 0, `a base backup was taken, and ${underWay} moves were under way meanwhile`);
  let target = await nowIn(url);
  await until(async () => target.open > 1 || (target = await nowIn(url)).open > 1);
  const atTarget = done(load);
  await until(() => done(load) > atTarget + 300);
  say(`the moment is ${target.text}; ${done(load) - atTarget} moves after it, everything is killed`);
  await Promise.all([cluster.kill(), ...running.all().map((one) => one.stop('SIGKILL'))]);
  await load.stop();
  return { ids, load, target };
}

async function goOn(trial: Trial, { ids, load, target }: Life): Promise<void> {
  const { cluster, start, app, hold } = trial;
  const { environment } = cluster.shell;
  const port = Number(environment['RESTORED_PORT']);
  const [url, appUrl] = [cluster.url('postgres', port), cluster.url(app, port)];
  await judgeMoves(hold, load, target, url);
  const open = await openExecutions(url);
  hold(open > 0, `${open} executions were queued or running at the moment`);
  await verify(hold, environment, appUrl);
  const running = await start(appUrl);
  await running.startWorker();
  await until(async () => (await openExecutions(url)) === 0);
  hold((await openExecutions(url)) === 0, 'all of them ended after the start of server and worker');
  await peopleMoveOn(hold, running.baseUrl, ids);
  await Promise.all(running.all().map((one) => one.stop()));
  const from = withVariables(cluster.shell, { PGPORT: String(port) });
  await tryDump(trial, { from, source: url }, ids);
}
