import type { Operation } from './operation.ts';
import type { Access } from './permission.ts';

const ofAnyOperation = {
  400: 'The request could not be read or does not fit the operation; `errors` names each place.',
  429: 'Too many failed sign-ins; `Retry-After` says when to try again.',
  500: 'Something went wrong on our side. Name the `request_id` when you ask for help.',
  503: 'The server is busy or its database cannot be reached; `Retry-After` says when to try again.',
};

const withPath = { 404: 'Nothing has this id or name.' };

const withBody = { 413: 'The body is too large.', 415: 'The body is not JSON.' };

const lacking = (access: Access): string =>
  'permission' in access && access.permission !== undefined
    ? `None of your roles has the permission ${access.permission}.`
    : 'You have no role.';

const forbidden = (access: Access): string => {
  if (access.kind === 'account') return 'The request came from a page of another site.';
  return access.kind === 'execution'
    ? `${lacking(access)} Or the secret is not that of this execution.`
    : lacking(access);
};

const unlessPublic = (access: Access): Record<number, string> =>
  access.kind === 'public'
    ? {}
    : { 401: 'You are not signed in, or the credentials are not valid.', 403: forbidden(access) };

/** Whether a request may carry an Idempotency-Key, so that a repeat has no second effect. */
export const takesKey = ({ method, repeats }: Operation): boolean => method !== 'GET' && repeats !== 'anew';

/** Whether a change can be made to depend on the version that the caller has seen. */
export const holdsVersion = ({ version }: Operation): boolean => version === 'held';

/** Everything an operation may answer: its own statuses, and those that follow from what it is. Its own words win. */
export const answersOf = (operation: Operation): Record<number, string> => ({
  ...ofAnyOperation,
  ...unlessPublic(operation.access),
  ...(operation.params === undefined ? {} : withPath),
  ...(operation.body === undefined ? {} : withBody),
  ...(holdsVersion(operation) ? { 412: 'It was changed since the version that `If-Match` names.' } : {}),
  ...(takesKey(operation) ? { 422: 'The `Idempotency-Key` came with another request before.' } : {}),
  ...operation.statuses,
});
