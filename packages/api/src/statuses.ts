import { listedRows } from './listed-rows.ts';
import type { Operation } from './operation.ts';
import type { Access } from './permission.ts';

const ofAnyOperation = {
  400: 'The request is malformed or invalid. `errors` lists each problem.',
  408: 'The request did not arrive in time.',
  429: 'Too many failed sign-ins. `Retry-After` says when to try again.',
  431: 'The URL and the headers are too large.',
  500: 'Internal error. Include the `request_id` when you ask for help.',
  503: 'The server is busy, or the database is unavailable. `Retry-After` says when to try again.',
};

const withPath = { 404: 'No object has this id or name.', 414: 'A part of the path is too long.' };

const withBody = {
  413: 'The body is too large.',
  415: 'The `Content-Type` is not `application/json`, or its charset is not UTF-8.',
};

const lacking = (access: Access): string =>
  'permission' in access && access.permission !== undefined
    ? `You need the permission \`${access.permission}\``
    : 'You have no permission';

const forbidden = (access: Access): string => {
  if (access.kind === 'account') return 'The request came from another site.';
  return access.kind === 'execution'
    ? `${lacking(access)}, or the secret does not belong to this execution.`
    : `${lacking(access)}.`;
};

const unlessPublic = (access: Access): Record<number, string> =>
  access.kind === 'public'
    ? {}
    : { 401: 'You are not signed in, or your credentials are invalid.', 403: forbidden(access) };

export const acceptsIdempotencyKey = ({ method, idempotencyKey }: Operation): boolean =>
  method !== 'GET' && idempotencyKey !== 'ignored';

export const supportsIfMatch = ({ version }: Operation): boolean => version === 'checked';

/** Every status an operation can return, with its meaning. The operation's own wording takes precedence. */
export const responsesOf = (operation: Operation): Record<number, string> => ({
  ...ofAnyOperation,
  ...unlessPublic(operation.access),
  ...(operation.params === undefined ? {} : withPath),
  ...(operation.method === 'GET' ? {} : withBody),
  ...(supportsIfMatch(operation) ? { 412: 'The object has changed since the version in `If-Match`.' } : {}),
  ...(acceptsIdempotencyKey(operation) ? { 422: 'The `Idempotency-Key` was used for another request.' } : {}),
  ...(listedRows(operation) ? { 422: 'For CSV: `columns` names a column that does not exist.' } : {}),
  ...operation.statuses,
});
