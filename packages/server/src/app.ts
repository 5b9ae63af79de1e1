/** The composition root of the server: creates the services and mounts all operations and pages. Tests build the app here. */
import { randomUUID } from 'node:crypto';
import { operations, type Operation } from '@milepost/api';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Config } from './config.ts';
import type { Database, Db } from './database/connection.ts';
import { observePool } from './database/observe-pool.ts';
import { hashSecret } from './engine/runs/secrets.ts';
import { createPulledJobs } from './jobs/pulled-jobs.ts';
import { createWake } from './jobs/wake.ts';
import { findAttempt } from './store/runs/attempts.ts';
import { countFailures } from './store/people/sign-in-failures.ts';
import { createWorkflowLocks } from './engine/experiments/workflow-locks.ts';
import { createWorkflowModels } from './engine/experiments/workflow-model.ts';
import { createAuthentication } from './http/access/authenticate.ts';
import { errorToReport } from './http/access/deferred-account.ts';
import { createCredentialsCheck, pairsOf } from './http/access/check-credentials.ts';
import type { AnyHandler } from './http/call.ts';
import { drainOnClose } from './http/drain.ts';
import { createGracefulShutdown, type GracefulShutdown } from './http/graceful-shutdown.ts';
import { createDisconnectSignals } from './http/disconnect.ts';
import { addressReader } from './http/address.ts';
import type { EventStream } from './http/server-sent-events.ts';
import { readForwardedFor } from './http/access/forwarded-for.ts';
import { secureHeaders, securityHeaders } from './http/headers.ts';
import { createLogger } from './http/log.ts';
import { mount, shadowedMethods, unknownPathHandler } from './http/mount.ts';
import { createMetrics, observe, observeConditions } from './http/observe.ts';
import { traceRequests } from './http/trace-requests.ts';
import type { Tracing } from './tracing/span.ts';
import { sendProblem } from './http/problem.ts';
import { readBodies } from './http/read-body.ts';
import { longestRequestMs, longestUploadMs, rejectSlowBodies } from './http/slow-bodies.ts';
import { unreadableRequests } from './http/unreadable-requests.ts';
import { createLinks } from './links.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { createTail } from './routes/record/tail-events.ts';
import { handlers, type Services } from './routes/handlers.ts';
import { healthPaths, mountHealth } from './routes/health.ts';
import { createResets } from './routes/people/password-resets.ts';
import { accountOfLogin, rehashPassword } from './http/access/accounts.ts';
import { mountPages } from './routes/pages/mount-pages.ts';
import { pagesOf } from './routes/pages/read-pages.ts';
import { mountReference, referencePaths } from './routes/api-reference/mount-reference.ts';
import { announceConditions, createConditions, type Conditions } from './routes/system/watch-conditions.ts';
import { mountSingleSignOn, singleSignOnOf, singleSignOnPaths } from './routes/people/single-sign-on.ts';

const largestBody = 1024 * 1024;

export interface App {
  http: FastifyInstance;
  passwords: Passwords;
  metrics: Registry;
  shutdown: GracefulShutdown;
  conditions: Conditions;
}

export function buildApp(
  config: Config,
  database: Database,
  logger: FastifyBaseLogger = createLogger(config),
  tracing?: Tracing,
): App {
  const headers = securityHeaders(config.publicUrl);
  const methods = [...new Set<string>(Object.values<Operation>(operations).map(({ method }) => method)), 'HEAD'];
  const unreadable = unreadableRequests({ logger, headers, methods });
  const http = createHttp(config, logger, { headers, unreadable });
  const drain = drainOnClose(http.server);
  http.addHook('preClose', async () => drain.start());
  const shutdown = createGracefulShutdown(http);
  const eventStreams = new Set<EventStream>();
  const tail = createTail({
    db: database.streams.db,
    connections: config.streamPoolSize,
    onError: (error) => http.log.warn({ err: error }, 'failed to read events'),
  });
  const metrics = createMetrics(database, { connected: () => eventStreams.size, behind: tail.behind });
  observePool(metrics, database);
  http.decorateRequest('account', null);
  http.decorateRequest('caller', null);
  readForwardedFor(http);
  secureHeaders(http, headers);
  traceRequests(http, tracing, new Set(Object.keys(operations)));
  observe(http, metrics);
  const conditions = createConditions(database.db);
  announceConditions(http, conditions);
  observeConditions(metrics, conditions.current);
  unreadable.watch(http);
  readBodies(http);
  rejectSlowBodies(http, unreadable);
  http.setErrorHandler(async (error, request, reply) =>
    sendProblem(request, reply, await errorToReport(request, error)),
  );
  const pages = pagesOf(config.webFolder);
  const others = [...healthPaths(config), ...referencePaths(config), ...singleSignOnPaths(config), ...pages.keys()];
  const unknownPath = unknownPathHandler(config.basePath, Object.values(operations), others);
  rejectUnknownPaths(http, unknownPath);
  mountHealth(http, config, { database, shutdown }, operations);
  mountReference(http, config, pages, operations);
  mountSingleSignOn(http, config, database);
  mountPages(http, config, pages, unknownPath);
  const passwords = createPasswords();
  mountOperations(http, config, metrics, { database, passwords, eventStreams, tail });
  for (const { method, path } of shadowedMethods(Object.values(operations)))
    http.route({ method, url: config.basePath + path, onRequest: unknownPath, handler: unknownPath });
  return { http, metrics, passwords, shutdown, conditions };
}

function createHttp(
  config: Config,
  logger: FastifyBaseLogger,
  { headers, unreadable }: { headers: Record<string, string>; unreadable: ReturnType<typeof unreadableRequests> },
): FastifyInstance {
  return fastify({
    loggerInstance: logger,
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: largestBody,
    requestTimeout: longestUploadMs,
    trustProxy: config.trustedProxies.length === 0 ? false : config.trustedProxies,
    // A label has up to 255 characters, each up to 12 bytes when percent-encoded.
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true },
    // drain.ts closes connections. A request that still arrives on one of them is served.
    forceCloseConnections: false,
    return503OnClosing: false,
    // Hooks do not run for a malformed URL, so their headers are set here.
    frameworkErrors: (error, request, reply) =>
      void sendProblem(request, reply.headers(headers).header('x-request-id', request.id), error),
    clientErrorHandler: unreadable.reject,
    http: { requireHostHeader: false, headersTimeout: longestRequestMs },
  });
}

type Dependencies = Pick<Services, 'database' | 'passwords' | 'eventStreams' | 'tail'>;

function mountOperations(
  http: FastifyInstance,
  config: Config,
  metrics: Registry,
  { database, passwords, eventStreams, tail }: Dependencies,
): void {
  const ownUrl = addressReader(http.server);
  const publicUrl = () => config.publicUrl ?? ownUrl();
  const origins = () => [new URL(publicUrl()).origin, ownUrl()];
  const checkCredentials = credentialsCheckOn(database.db, config, passwords);
  const authenticate = createAuthentication({ checkCredentials, db: database.db, origins });
  const { db: streamDb } = database.streams;
  const authenticateAgain = createAuthentication({
    checkCredentials: credentialsCheckOn(streamDb, config, passwords),
    db: streamDb,
    origins,
  });
  const onQueueError = (error: unknown) => http.log.warn({ err: error }, 'queue error');
  const pulled = createPulledJobs(database.db, config.databaseUrl, onQueueError);
  http.addHook('onClose', () => pulled.stop());
  const services: Services = {
    database,
    links: createLinks({ basePath: config.basePath, publicUrl }),
    passwords,
    checkCredentials,
    models: createWorkflowModels(),
    maxValuesBytes: config.maxValuesBytes,
    locks: createWorkflowLocks(database.db, metrics),
    wake: createWake(database.pool, onQueueError),
    pulled,
    singleSignOn: singleSignOnOf(config),
    tail,
    eventStreams,
    longestPauseMs: config.streamPauseSeconds * 1000,
    resets: resetsOf(config, database),
    studyName: config.studyName,
    bulkPerSecond: config.bulkPerSecond,
  };
  const openExecution = (id: number, secret: string) => findAttempt(database.db, id, hashSecret(secret));
  const disconnectSignalOf = createDisconnectSignals(http);
  const mounting = {
    basePath: config.basePath,
    services,
    longestPauseMs: services.longestPauseMs,
    authenticate,
    authenticateAgain,
    openExecution,
    disconnectSignalOf,
  };
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const handler = handlers[name as keyof typeof handlers] as unknown as AnyHandler;
    mount(http, mounting, name, operation, handler);
  }
}

function resetsOf({ resetLinksAt, signInFailures }: Config, { db }: Database) {
  const failures = countFailures(db, signInFailures);
  return createResets({
    sendsLinks: resetLinksAt !== undefined,
    countBy: (most) => countFailures(db, most),
    forgetFailures: async (address, account) => {
      await Promise.all(pairsOf(address, account).map(failures.forget));
    },
  });
}

const credentialsCheckOn = (db: Db, { signInFailures }: Config, passwords: Passwords) =>
  createCredentialsCheck(
    {
      find: (login) => accountOfLogin(db, login),
      strengthen: (account, password) => rehashPassword(db, passwords, account, password),
    },
    passwords,
    countFailures(db, signInFailures),
  );

/** Rejects unknown paths before the body is read, whatever its type. */
function rejectUnknownPaths(http: FastifyInstance, reject: ReturnType<typeof unknownPathHandler>): void {
  http.addHook('onRequest', (request, reply, done) => {
    if (request.is404) reject(request, reply);
    done();
  });
  http.setNotFoundHandler(reject);
}
