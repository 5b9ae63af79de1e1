/** Mounts the operations of the table: the path of a request from its headers to its handler. */
import { unattended, type Operation } from '@milepost/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../errors.ts';
import type { Author } from '../store/record/history.ts';
import { admit, admitByBody, type Admission, type Sender } from './access/admit.ts';
import type { Usage } from './access/accounts.ts';
import { canDeferAccount } from './access/deferred-account.ts';
import { canDeferSecret } from './access/deferred-secret.ts';
import type { Account, AnyHandler, Call, CommonServices, Following } from './call.ts';
import { clientOf } from './access/request-origin.ts';
import type { DisconnectSignalOf } from './disconnect.ts';
import { handleIdempotently, type Replayed } from './idempotency.ts';
import { readIfMatch } from './if-match.ts';
import { columnsReader, exportList, exportReader } from './list-export.ts';
import { maskReader } from './mask-reader.ts';
import { pathTooLong } from './problem.ts';
import { uploadOf } from './read-body.ts';
import { requestReader } from './read-request.ts';
import { send } from './send.ts';

export interface Mounting extends Admission {
  basePath: string;
  /** The common services and those of the handlers. */
  services: CommonServices;
  longestPauseMs: number;
  /** Authenticates again while a request stays open, without the connections of other requests. */
  authenticateAgain: Admission['authenticate'];
  disconnectSignalOf: DisconnectSignalOf;
}

/** Large enough that no final report is rejected because of its log. */
const largestReport = 16 * 1024 * 1024;

const bodyLimitOf = ({ access, bodyMiB }: Operation) => ({
  ...(access.kind === 'execution' && { bodyLimit: largestReport }),
  ...(bodyMiB !== undefined && { bodyLimit: bodyMiB * 1024 * 1024 }),
});

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user, for the log. */
    account: Account | null;
    sender: Sender | null;
  }
  interface FastifyContextConfig {
    /** The operation's name, for logs and metrics. */
    operation?: string;
    /** The body is a file of this type. */
    upload?: string;
  }
}

export function mount(
  app: FastifyInstance,
  mounting: Mounting,
  name: string,
  operation: Operation,
  handler: AnyHandler,
): void {
  const readRequest = requestReader(operation);
  const readMask = maskReader(operation);
  const readExport = exportReader(operation);
  const readColumns = columnsReader(operation);
  const deferring = { account: canDeferAccount(handler), secret: canDeferSecret(handler) };
  app.route({
    method: operation.method,
    url: fastifyPath(mounting.basePath, operation.path),
    config: { operation: name, ...(operation.upload && { upload: operation.upload }) },
    ...bodyLimitOf(operation),
    // Runs before the body is read, so that anonymous clients cannot make the server parse megabytes.
    onRequest: async (request) => {
      // A replayed response needs the account before the handler is called.
      const defers = request.headers['idempotency-key'] === undefined ? deferring : undefined;
      request.sender = await admit(mounting, operation, request, {
        usage: usageOf(request),
        ...(defers && { defers }),
      });
      request.account = request.sender?.account ?? null;
    },
    handler: async (request, reply) => {
      const exported = readExport(request.headers.accept, request.query);
      const fields = exported?.fields ?? readColumns(request.query) ?? readMask(maskOf(request));
      const { sender, body } = await admitByBody(mounting, operation, request, request.body);
      const { url, params, query } = request;
      const read = readRequest({ url, params, query: exported?.query ?? query, body });
      // A second spread makes this object three times as expensive to create, and getters nine times.
      const call = {
        ...mounting.services,
        params: read.params,
        query: read.query,
        body: read.body,
        fields,
        requireVersion: readIfMatch(request, operation),
        account: sender?.account ?? null,
        execution: sender?.execution ?? null,
        session: sender?.session ?? null,
        author: authorOf(request, sender, name),
        client: clientOf(request),
        following: followingOf(mounting, operation, request, reply),
        upload: () => uploadOf(body, operation.upload),
        log: request.log,
        span: request.span ?? undefined,
        afterCommit: (work) => work(mounting.services.database.db),
      } as Call;
      const answer = await handleIdempotently(request, operation, call, handler);
      requireConfirmed(name, sender);
      if ('replayed' in answer) return sendReplayed(reply, answer);
      const sent = exported ? exportList(exported, { answer, call, handler }) : answer;
      return send(request, reply, { answer: sent, fields, longestPauseMs: mounting.longestPauseMs });
    },
  });
}

function requireConfirmed(name: string, sender: Sender | null): void {
  if (sender?.account.confirm ?? sender?.execution?.confirm)
    throw new Error(`The handler of ${name} did not confirm the sender.`);
}

/** Background requests of a page carry a header and do not count as use, so an unattended session expires. */
const usageOf = ({ headers }: FastifyRequest): Usage => ({ isUse: headers[unattended] === undefined });

function followingOf(
  mounting: Mounting,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Following {
  let signal: AbortSignal | undefined;
  return {
    lastEventId: request.headers['last-event-id'] as string | undefined,
    disconnectSignal: () => (signal ??= mounting.disconnectSignalOf(reply)),
    recheckAccess: async () => {
      // An open stream does not count as use, so an unattended session expires.
      const admission = { ...mounting, authenticate: mounting.authenticateAgain };
      const sender = await admit(admission, operation, request, { usage: { isUse: false } });
      if (!sender) throw new Problem('not_signed_in', 'Sign in again.');
      return sender.account;
    },
  };
}

const fastifyPath = (basePath: string, path: string) => basePath + path.replace(/\{(\w+)\}/g, ':$1');

/** Sends the stored response, or its location if the response was not stored. */
function sendReplayed(reply: FastifyReply, { replayed: { status, body, location } }: Replayed): FastifyReply {
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .headers({ 'idempotency-replayed': 'true', ...(body === null && location !== null && { location }) })
    .send(body ?? JSON.stringify({ uri: location }));
}

const authorOf = ({ id: requestId }: FastifyRequest, sender: Sender | null, operation: string): Author =>
  sender?.execution
    ? { kind: 'execution', id: sender.execution.id, requestId, operation }
    : { kind: 'user', id: sender?.account.id ?? null, requestId, operation };

function maskOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-fields'];
  return Array.isArray(header) ? header.join(',') : header;
}

/**
 * Handles requests without a route: 405 if the path exists for other methods, else 404. `others` are paths outside the table,
 * which support GET.
 */
export function unknownPathHandler(basePath: string, operations: readonly Operation[], others: readonly string[]) {
  const known = [
    ...operations.map(({ method, path }) => ({ method: method as string, path, pattern: pathPattern(basePath, path) })),
    ...others.map((path) => ({ method: 'GET', path, pattern: pathPattern('', path) })),
  ];
  return (request: FastifyRequest, reply: FastifyReply): never => {
    const path = request.url.split('?', 1)[0] ?? '';
    const matching = known.filter(({ pattern }) => pattern.test(path));
    const fixed = matching.filter(isFixed);
    const methods = new Set<string>((fixed.length > 0 ? fixed : matching).map(({ method }) => method));
    if (methods.size === 0) {
      throw new Problem(
        'no_such_path',
        `No resource at ${path.slice(0, 200)}. The API is described at ${basePath}/openapi.json.`,
      );
    }
    // The router found no operation although path and method exist.
    if (methods.has(request.method)) throw pathTooLong();
    if (methods.has('GET')) methods.add('HEAD');
    const allow = [...methods].join(', ');
    reply.header('allow', allow);
    throw new Problem('method_not_allowed', `${request.method} is not supported here. Supported: ${allow}.`);
  };
}

const isFixed = ({ path }: { path: string }) => !path.includes('{');

/** Methods of a path without parameters that would reach an operation with one, such as PUT /experiments/search. */
export const shadowedMethods = (operations: readonly Operation[]): { method: string; path: string }[] =>
  operations.filter(isFixed).flatMap(({ path }) =>
    operations
      .filter((other) => !isFixed(other) && pathPattern('', other.path).test(path))
      .filter(({ method }) => !operations.some((own) => own.path === path && own.method === method))
      .map(({ method }) => ({ method, path })),
  );

const pathPattern = (basePath: string, path: string) =>
  new RegExp(`^${basePath}${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`);
