/** Starts all parts of a worker process, and stops them in an order that loses nothing. */
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { readCheckpointKey, type CheckpointKey } from './chain/checkpoint-key.ts';
import { SettingsError, type Config } from './config.ts';
import { openDatabase, workerApplication } from './database/connection.ts';
import { observePool } from './database/observe-pool.ts';
import { checkDatabase } from './database/check-database.ts';
import { createWorkflowLocks } from './engine/experiments/workflow-locks.ts';
import { createWorkflowModels } from './engine/experiments/workflow-model.ts';
import { createFunctions, openIntegrations } from './functions/index.ts';
import { createLogger } from './http/log.ts';
import { serveMetrics } from './http/serve-metrics.ts';
import { createFairQueue } from './jobs/fair-queue.ts';
import { openQueue } from './jobs/open-queue.ts';
import { callbackQueue } from './jobs/queue-names.ts';
import { createWake, listenForJobs } from './jobs/wake.ts';
import { createLinks } from './links.ts';
import { startParts, type StartedParts } from './started-parts.ts';
import type { Removed } from './store/record/retention.ts';
import { allCohorts } from './store/scope.ts';
import { readBacklogs } from './store/runs/queue-progress.ts';
import { tasks, type TaskEngine, type TaskOptions } from './tasks.ts';
import { startTracing } from './tracing/start-tracing.ts';
import { keepContact, openHeartbeatDatabase } from './work/heartbeats.ts';
import { createWorkMetrics } from './work/metrics.ts';
import { registerProcess } from './work/register-process.ts';
import { repeat, type RepeatedWork } from './work/repeat.ts';
import { runCallbacks } from './work/run-callbacks.ts';
import type { ResetMail } from './work/send-password-resets.ts';

export interface RunningWorker {
  name: string;
  metricsUrl: string;
  /** Waits a few seconds for running attempts, returns the others to the queue, then closes. */
  stop: () => Promise<void>;
}

export const startWorker = (config: Config): Promise<RunningWorker> => startParts((started) => start(config, started));

async function start(config: Config, started: StartedParts): Promise<RunningWorker> {
  const log = createLogger(config);
  for (const remark of config.remarks) log.info(remark);
  const tracing = await startTracing(config.tracing, { kind: 'worker', log }, started);
  const key = await checkpointKey(config);
  const onError = (error: unknown) => log.warn({ err: error }, 'queue connection error');
  const { database, heartbeats } = await openDatabases(config, started, onError);
  const maintenance = await openQueue(database.pool, { supervise: true, onError });
  started.push(maintenance.stop);
  const { db } = database;
  const wake = createWake(database.pool, onError);
  const engine = {
    db,
    scope: allCohorts,
    models: createWorkflowModels(),
    maxValuesBytes: config.maxValuesBytes,
    wake,
    onError: (error: unknown) => log.error({ err: error }, 'worker error'),
  };
  const name = `${hostname()}:${process.pid}`;
  const author = { kind: 'engine' as const, id: null, requestId: null, operation: 'runCallback' };
  const integrations = openIntegrations(config.integrations);
  const metrics = createWorkMetrics(
    () => callbacks.running(),
    () => readBacklogs(db),
  );
  observePool(metrics.registry, database);
  const callbacks = runCallbacks({
    context: {
      engine: { ...engine, locks: createWorkflowLocks(db, metrics.registry), author },
      links: createLinks({ basePath: config.basePath, publicUrl: () => publicUrl(config) }),
      functions: createFunctions(integrations),
    },
    heartbeatDb: heartbeats.db,
    queue: createFairQueue(database.db, { traced: tracing !== undefined }),
    slots: config.worker.slots,
    retriesPerSecond: config.worker.retriesPerSecond,
    worker: name,
    log,
    metrics,
    tracing,
  });
  const resetMail = resetMailOf(config, integrations, log);
  const { keepDays: keep, bulkPerSecond: linesPerSecond } = config;
  const { outgoing } = integrations;
  const repeating = startTasks(engine, { metrics, key, keep, linesPerSecond, resetMail, outgoing }, log);
  const contact = keepContact(heartbeats.db, 'worker', log);
  started.push(registerProcess(db, 'worker', callbacks.running, log).stop);
  const listening = listenForJobs(
    config.databaseUrl,
    (woken) => (woken === undefined || woken === callbackQueue) && callbacks.wake(),
    onError,
  );
  started.push(async () => {
    await Promise.all([callbacks.stop(), contact.stop(), listening.stop(), ...repeating.map((one) => one.stop())]);
  });
  const metricsServer = await serveMetrics(metrics.registry, config.worker.metrics, 'MILEPOST_WORKER_METRICS_PORT');
  started.push(metricsServer.stop);
  return { name, metricsUrl: metricsServer.url, stop: started.stop };
}

async function openDatabases(config: Config, started: StartedParts, onError: (error: Error) => void) {
  const options = { ...config, applicationName: workerApplication, onError };
  const database = openDatabase(options);
  started.push(database.close);
  await checkDatabase(config, database);
  const heartbeats = openHeartbeatDatabase(options);
  started.push(heartbeats.close);
  return { database, heartbeats };
}

function startTasks(engine: TaskEngine, options: Omit<TaskOptions, 'onRemoved'>, log: Logger): RepeatedWork[] {
  const { metrics } = options;
  const onRemoved = (removed: Removed) => {
    for (const [what, count] of Object.entries(removed)) metrics.removed(what, count);
    if (Object.keys(removed).length > 0) log.info({ removed }, 'removed expired data');
  };
  return tasks(engine, { ...options, onRemoved }).map((task) => {
    metrics.failed(task.name, 0);
    return repeat(task.everySeconds * 1000, task.run, (error) => {
      metrics.failed(task.name);
      log.error({ err: error, task: task.name }, 'task failed, will be retried');
    });
  });
}

/** Undefined without a mail server or a public URL. */
const resetMailOf = (
  { resetLinksAt: url }: Config,
  { mail }: ReturnType<typeof openIntegrations>,
  log: Logger,
): ResetMail | undefined => (mail && url !== undefined ? { mail, publicUrl: url, log } : undefined);

const publicUrl = ({ publicUrl: given, host, port }: Config) => given ?? `http://${host}:${port}`;

async function checkpointKey({ checkpointKeyFile: file }: Config): Promise<CheckpointKey | undefined> {
  if (file === undefined) return undefined;
  try {
    return readCheckpointKey(await readFile(file, 'utf8'));
  } catch (error) {
    throw new SettingsError(`MILEPOST_CHECKPOINT_KEY_FILE is "${file}": ${(error as Error).message}.`);
  }
}
