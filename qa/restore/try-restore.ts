/** Runs an installation under load, takes a base backup, chooses a moment, kills the installation, and restores that moment. */
import { createInstallation, type Cluster } from './cluster.ts';
import { makeKey, startInstallation } from './installation.ts';
import {
  countCheckpoints,
  checkMoves,
  nowIn,
  openExecutions,
  checkMovesContinue,
  verify,
  type Moment,
} from './check-restored.ts';
import { createStudy, countDone, startLoad, type Load } from './load.ts';
import type { Method } from './methods.ts';
import { withVariables } from './page.ts';
import type { Output, Trial } from './trial.ts';
import { tryDump } from './try-dump.ts';
import { until } from './until.ts';

const experiments = 12;

interface Needs {
  cluster: Cluster;
  receiver: string;
  method: Method;
}

export async function tryRestore({ cluster, receiver, method }: Needs, output: Output): Promise<void> {
  const { shell, url } = cluster;
  const roles = await createInstallation(cluster);
  await makeKey(shell.environment);
  const trial = {
    ...output,
    cluster,
    start: (databaseUrl = url(roles.app)) =>
      startInstallation({ key: shell.environment['KEY'] ?? '', databaseUrl, receiver }),
    receiver,
    ...roles,
  };
  const killed = await runUntilKilled(trial, method);
  await method.restore(trial, killed.target.text);
  output.log('restored');
  await checkRestored(trial, killed);
}

interface KilledRun {
  ids: number[];
  load: Load;
  target: Moment;
}

async function runUntilKilled(trial: Trial, method: Method): Promise<KilledRun> {
  const { cluster, start, receiver, log, check } = trial;
  const url = cluster.url('postgres');
  const running = await start();
  const ids = await createStudy(running.baseUrl, receiver, experiments);
  await running.startWorker();
  const load = startLoad(running.baseUrl, ids);
  await until(() => countDone(load) > 200);
  const [before, backupFrom] = [countDone(load), Date.now()];
  await method.backUp(trial);
  const backupTo = Date.now();
  // A worker signs a checkpoint when it starts.
  await running.startWorker();
  await until(async () => (await countCheckpoints(url)) > 1);
  await until(() => countDone(load) > before + 400);
  const during = load.moves.filter(({ sentAt, doneAt = 0 }) => sentAt < backupTo && doneAt > backupFrom).length;
  check(during > 0, `took a backup during ${during} moves`);
  let target = await nowIn(url);
  await until(async () => target.open > 1 || (target = await nowIn(url)).open > 1);
  const atTarget = countDone(load);
  await until(() => countDone(load) > atTarget + 300);
  log(`the moment is ${target.text}; killing all processes ${countDone(load) - atTarget} moves later`);
  await Promise.all([cluster.kill(), ...running.all().map((one) => one.stop('SIGKILL'))]);
  await load.stop();
  return { ids, load, target };
}

async function checkRestored(trial: Trial, { ids, load, target }: KilledRun): Promise<void> {
  const { cluster, start, app, check } = trial;
  const { environment } = cluster.shell;
  const port = Number(environment['RESTORED_PORT']);
  const [url, appUrl] = [cluster.url('postgres', port), cluster.url(app, port)];
  await checkMoves(check, load, target, url);
  const open = await openExecutions(url);
  check(open > 0, `${open} executions were queued or running at the moment`);
  await verify(check, environment, appUrl);
  const running = await start(appUrl);
  await running.startWorker();
  await until(async () => (await openExecutions(url)) === 0);
  check((await openExecutions(url)) === 0, 'all of them finished after the start of server and worker');
  await checkMovesContinue(check, running.baseUrl, ids);
  await Promise.all(running.all().map((one) => one.stop()));
  const from = withVariables(cluster.shell, { PGPORT: String(port) });
  await tryDump(trial, { from, source: url }, ids);
}
