/** Turns every error into a response: an RFC 9457 problem object (docs/reference/errors.md). */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { problemFromDatabase } from '../database/problem-from-database.ts';
import { Problem, problemObject } from '../errors.ts';
import { readToken } from './access/bearer.ts';

/** Not signed in, not allowed, rate limited. */
const rejections = new Set([401, 403, 429]);

const operationOf = ({ routeOptions }: FastifyRequest) => routeOptions.config.operation ?? 'unknown';

/** In the middle of the body, so that there is no one to answer. */
const isDisconnected = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete;

/**
 * Logs why a request was rejected, for which account and from which address, so that operators can find guessing and intrusion.
 * A request without credentials is no warning: every page sends one when it is first opened.
 */
function logRejection(request: FastifyRequest, { code }: Problem): void {
  const operation = operationOf(request);
  const level = code === 'not_signed_in' ? 'info' : 'warn';
  request.log[level]({ operation, code, user_id: request.account?.id, address: request.ip }, 'request rejected');
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const problem = isBodyTooLarge(error) ? bodyTooLarge(request) : toProblem(error);
  if (problem.status >= 500) request.log.error({ err: error, code: problem.code }, 'request failed');
  if (isDisconnected(request)) request.log.info({ operation: operationOf(request) }, 'client disconnected');
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds);
  // Pages have their own sign-in form. With this header, the browser would open its dialog over it.
  if (problem.status === 401 && request.headers['sec-fetch-mode'] === undefined) {
    reply.header('www-authenticate', challengeFor(request));
  }
  if (rejections.has(problem.status)) logRejection(request, problem);
  return reply
    .code(problem.status)
    .type(problemType)
    .send(JSON.stringify(problemBody(problem, request)));
}

/** Clients that sent an API token get a Bearer challenge (RFC 6750). */
const challengeFor = ({ headers }: FastifyRequest): string =>
  readToken(headers.authorization) === undefined
    ? 'Basic realm="Milepost", charset="UTF-8"'
    : 'Bearer realm="Milepost", error="invalid_token"';

export const problemType = 'application/problem+json; charset=utf-8';

export const problemBody = (
  { code, message: detail, faults, warnings }: Problem,
  { url, id: requestId }: Pick<FastifyRequest, 'url' | 'id'>,
) => problemObject(code, { detail, instance: url.split('?', 1)[0] ?? '', faults, warnings, requestId });

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return problemFromFastify(error as FastifyError) ?? problemFromDatabase(error) ?? unexpected(error);
}

const unexpected = (cause: unknown) =>
  new Problem(
    'internal_error',
    'The request failed. The server log contains the cause under the `request_id`. Include it when you ask for help.',
    {
      cause,
    },
  );

const isBodyTooLarge = (error: unknown) =>
  (error as Partial<FastifyError> | null)?.code === 'FST_ERR_CTP_BODY_TOO_LARGE';

function bodyTooLarge({ headers, routeOptions }: FastifyRequest): Problem {
  const length = headers['content-length'];
  const limit = routeOptions.bodyLimit / 1024 / 1024;
  return new Problem('body_too_large', `The body is larger than ${limit} MiB${length ? ` (${length} bytes)` : ''}.`);
}

export const pathTooLong = (cause?: unknown): Problem =>
  new Problem('path_too_long', 'A part of the path has more than 4,096 characters.', { cause });

/** Also an error of the connection to the client while the body is read: Fastify sets its status to 400. */
function problemFromFastify(error: Partial<FastifyError>): Problem | undefined {
  if (error.code === 'FST_ERR_BAD_URL') {
    return new Problem('malformed_request', 'The path is not percent-encoded UTF-8.', { cause: error });
  }
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return pathTooLong(error);
  }
  if (error.statusCode === undefined || error.statusCode >= 500) return undefined;
  return new Problem(
    'malformed_request',
    `${error.message ?? 'The request cannot be read. Check its headers and body'}.`,
    { cause: error },
  );
}
