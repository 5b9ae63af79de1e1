/** The composition root of the server: all routes in one list. Tests build the app here as well. */
import { randomUUID } from 'node:crypto';
import { operations, type OperationName } from '@milepost/api';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Config } from './config.ts';
import type { Database } from './database/connection.ts';
import { hashSecret } from './engine/executions/start-attempts.ts';
import { createPulledJobs } from './jobs/pulled-jobs.ts';
import { createWake } from './jobs/wake.ts';
import { findAttempt } from './store/attempts.ts';
import { countFailures } from './store/sign-in-failures.ts';
import { createWorkflowModels } from './engine/workflow-model.ts';
import { createAuthentication } from './http/authenticate.ts';
import { createCredentialsCheck, pairsOf } from './http/check-credentials.ts';
import type { AnyHandler, Services } from './http/call.ts';
import { drainOnClose } from './http/drain.ts';
import { createGracefulShutdown, type GracefulShutdown } from './http/graceful-shutdown.ts';
import { createDisconnectSignals } from './http/disconnect.ts';
import { addressOf } from './http/address.ts';
import type { EventStream } from './http/event-stream.ts';
import { readForwardedFor } from './http/forwarded-for.ts';
import { secureHeaders, securityHeaders } from './http/headers.ts';
import { createLogger } from './http/log.ts';
import { mount, unknownPathHandler } from './http/mount.ts';
import { createMetrics, observe } from './http/observe.ts';
import { sendProblem } from './http/problem.ts';
import { createLinks } from './links.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { actionHandlers } from './routes/actions.ts';
import { attentionHandlers } from './routes/attention.ts';
import { auditHandlers } from './routes/audit.ts';
import { callbackExecutionHandlers } from './routes/callback-executions.ts';
import { callbackHandlers } from './routes/callbacks.ts';
import { cohortRoleHandlers } from './routes/cohort-roles.ts';
import { cohortHandlers } from './routes/cohorts.ts';
import { correctionHandlers } from './routes/corrections.ts';
import { erasureHandlers } from './routes/erasures.ts';
import { experimentOverviewHandlers } from './routes/experiment-overview.ts';
import { experimentRowHandlers } from './routes/experiment-rows.ts';
import { countHandlers } from './routes/counts.ts';
import { eventHandlers } from './routes/events.ts';
import { experimentHandlers } from './routes/experiments.ts';
import { externalLinkHandlers } from './routes/external-links.ts';
import { externalSystemChangeHandlers, externalSystemHandlers } from './routes/external-systems.ts';
import { createTail } from './routes/follow-events.ts';
import { healthPaths, mountHealth } from './routes/health.ts';
import { importWorkflowHandlers } from './routes/import-workflow.ts';
import { historyHandlers } from './routes/history.ts';
import { incidentHandlers } from './routes/incidents.ts';
import { noteHandlers } from './routes/notes.ts';
import { overviewHandlers } from './routes/overviews.ts';
import { createResets, passwordResetHandlers } from './routes/password-resets.ts';
import { findAccount, peopleHandlers, rehashPassword } from './routes/people.ts';
import { mountPages } from './routes/pages/mount-pages.ts';
import { pagesOf } from './routes/pages/read-pages.ts';
import { mountReference, referencePaths } from './routes/reference/mount-reference.ts';
import { reportHandlers } from './routes/reports.ts';
import { scanHandlers } from './routes/scans.ts';
import { searchHandlers } from './routes/search.ts';
import { serviceHandlers } from './routes/service.ts';
import { findSession, sessionHandlers } from './routes/sessions.ts';
import { mountSingleSignOn, singleSignOnOf, singleSignOnPaths } from './routes/single-sign-on.ts';
import { subjectHandlers } from './routes/subjects.ts';
import { timelineHandlers } from './routes/timeline.ts';
import { findTokenAccount, tokenHandlers } from './routes/tokens.ts';
import { workerClaimHandlers } from './routes/worker-claims.ts';
import { workflowHandlers } from './routes/workflows.ts';
import { parseJson } from './validation/json.ts';

const handlers = {
  ...cohortHandlers,
  ...subjectHandlers,
  ...externalLinkHandlers,
  ...externalSystemHandlers,
  ...externalSystemChangeHandlers,
  ...peopleHandlers,
  ...serviceHandlers,
  ...importWorkflowHandlers,
  ...actionHandlers,
  ...callbackHandlers,
  ...callbackExecutionHandlers,
  ...historyHandlers,
  ...auditHandlers,
  ...incidentHandlers,
  ...reportHandlers,
  ...workerClaimHandlers,
  ...experimentHandlers,
  ...scanHandlers,
  ...correctionHandlers,
  ...workflowHandlers,
  ...experimentRowHandlers,
  ...attentionHandlers,
  ...searchHandlers,
  ...experimentOverviewHandlers,
  ...timelineHandlers,
  ...overviewHandlers,
  ...noteHandlers,
  ...sessionHandlers,
  ...tokenHandlers,
  ...passwordResetHandlers,
  ...countHandlers,
  ...eventHandlers,
  ...erasureHandlers,
  ...cohortRoleHandlers,
} satisfies Partial<Record<OperationName, unknown>>;

/** The operations with a handler, in the order of the table. Others are neither mounted nor documented. */
export const builtOperations = Object.fromEntries(Object.entries(operations).filter(([name]) => name in handlers));

const largestBody = 1024 * 1024;
const requestTimeoutMs = 30_000;

export interface App {
  http: FastifyInstance;
  passwords: Passwords;
  metrics: Registry;
  shutdown: GracefulShutdown;
}

export function buildApp(config: Config, database: Database, logger: FastifyBaseLogger = createLogger(config)): App {
  const headers = securityHeaders(config.publicUrl);
  const http = fastify({
    loggerInstance: logger,
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: largestBody,
    requestTimeout: requestTimeoutMs,
    trustProxy: config.trustedProxies.length === 0 ? false : config.trustedProxies,
    // A label has up to 255 characters, each up to 12 bytes when percent-encoded.
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true },
    // drain.ts closes connections. A request that still arrives on one of them is served.
    forceCloseConnections: false,
    return503OnClosing: false,
    // Hooks do not run for a malformed URL, so their headers are set here.
    frameworkErrors: (error, request, reply) =>
      void sendProblem(request, reply.headers(headers).header('x-request-id', request.id), error),
  });
  const drain = drainOnClose(http.server);
  http.addHook('preClose', async () => drain.start());
  const shutdown = createGracefulShutdown(http);
  const eventStreams = new Set<EventStream>();
  const metrics = createMetrics(database, eventStreams);
  http.decorateRequest('account', null);
  http.decorateRequest('caller', null);
  readForwardedFor(http);
  secureHeaders(http, headers);
  observe(http, metrics);
  readJsonBodies(http);
  http.setErrorHandler((error, request, reply) => sendProblem(request, reply, error));
  const pages = pagesOf(config.webFolder);
  const others = [...healthPaths(config), ...referencePaths(config), ...singleSignOnPaths(config), ...pages.keys()];
  const unknownPath = unknownPathHandler(config.basePath, Object.values(builtOperations), others);
  rejectUnknownPaths(http, unknownPath);
  mountHealth(http, config, { database, shutdown }, builtOperations);
  mountReference(http, config, builtOperations);
  mountSingleSignOn(http, config, database);
  mountPages(http, config, pages, unknownPath);
  const passwords = createPasswords();
  mountOperations(http, config, { database, passwords, eventStreams });
  return { http, metrics, passwords, shutdown };
}

type Dependencies = Pick<Services, 'database' | 'passwords' | 'eventStreams'>;

function mountOperations(
  http: FastifyInstance,
  config: Config,
  { database, passwords, eventStreams }: Dependencies,
): void {
  const failures = countFailures(database.db, config.signInFailures);
  const checkCredentials = createCredentialsCheck(
    {
      find: (login) => findAccount(database.db, login),
      strengthen: (account, password) => rehashPassword(database.db, passwords, account, password),
    },
    passwords,
    failures,
  );
  const publicUrl = () => config.publicUrl ?? addressOf(http.server);
  const authenticate = createAuthentication({
    checkCredentials,
    findTokenAccount: (tokenHash, usage) => findTokenAccount(database.db, tokenHash, usage),
    findSession: (tokenHash, usage) => findSession(database.db, tokenHash, usage),
    origins: () => [new URL(publicUrl()).origin, addressOf(http.server)],
  });
  const onQueueError = (error: unknown) => http.log.warn({ err: error }, 'queue error');
  const pulled = createPulledJobs(database.pool, config.databaseUrl, onQueueError);
  http.addHook('onClose', () => pulled.stop());
  const services: Services = {
    database,
    links: createLinks({ basePath: config.basePath, publicUrl }),
    passwords,
    checkCredentials,
    models: createWorkflowModels(),
    wake: createWake(database.pool, onQueueError),
    pulled,
    singleSignOn: singleSignOnOf(config),
    tail: createTail(database.db, (error) => http.log.warn({ err: error }, 'failed to read events')),
    eventStreams,
    resets: createResets({
      sendsLinks: config.resetLinksAt !== undefined,
      countBy: (most) => countFailures(database.db, most),
      forgetFailures: async (address, account) => {
        await Promise.all(pairsOf(address, account).map(failures.forget));
      },
    }),
  };
  const longestPauseMs = config.streamPauseSeconds * 1000;
  const openExecution = (id: number, secret: string) => findAttempt(database.db, id, hashSecret(secret));
  const disconnectSignalOf = createDisconnectSignals(http);
  const mounting = {
    basePath: config.basePath,
    services,
    longestPauseMs,
    authenticate,
    openExecution,
    disconnectSignalOf,
  };
  for (const [name, operation] of Object.entries(builtOperations)) {
    const handler = handlers[name as keyof typeof handlers] as unknown as AnyHandler;
    mount(http, mounting, name, operation, handler);
  }
}

/** Rejects unknown paths before the body is read, whatever its type. */
function rejectUnknownPaths(http: FastifyInstance, reject: ReturnType<typeof unknownPathHandler>): void {
  http.addHook('onRequest', async (request, reply) => {
    if (request.is404) reject(request, reply);
  });
  http.setNotFoundHandler(reject);
}

/** Accepts JSON only. The schemas decide whether a body may be empty. */
function readJsonBodies(http: FastifyInstance): void {
  http.removeAllContentTypeParsers();
  for (const type of ['application/json', /^application\/[\w.+-]+\+json/]) {
    http.addContentTypeParser<string>(type, { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
      parseJson(text),
    );
  }
}
