/** Errors as the interface shows them: RFC 9457 problem objects with a closed list of codes (docs/reference/errors.md). */
import { Type } from 'typebox';
import { keysOf } from './records.ts';
import { closed, oneOf, resource } from './values.ts';

export const problemCodes = {
  malformed_request: { status: 400, title: 'The request could not be read' },
  invalid_request: { status: 400, title: 'The request does not fit the operation' },
  invalid_definition: { status: 400, title: 'The definition has faults' },
  not_signed_in: { status: 401, title: 'Sign in first' },
  wrong_credentials: { status: 401, title: 'The credentials are not valid' },
  session_ended: { status: 401, title: 'The session has ended' },
  token_ended: { status: 401, title: 'The token is over' },
  not_allowed: { status: 403, title: 'You may not do this' },
  cross_site: { status: 403, title: 'The request came from a page of another site' },
  insecure_connection: { status: 403, title: 'Signing in needs an encrypted connection' },
  wrong_secret: { status: 403, title: 'The secret is not that of this execution' },
  wrong_reset_token: { status: 403, title: 'The link is over or not one of ours' },
  not_found: { status: 404, title: 'There is no such thing' },
  no_such_path: { status: 404, title: 'There is nothing at this address' },
  state_not_found: { status: 404, title: 'The workflow has no such state' },
  method_not_allowed: { status: 405, title: 'This address does not take that method' },
  already_exists: { status: 409, title: 'It exists already' },
  ambiguous_reference: { status: 409, title: 'More than one thing has this name' },
  too_many_tokens: { status: 409, title: 'The account has too many tokens' },
  account_inactive: { status: 409, title: 'The account is not active' },
  last_admin: { status: 409, title: 'Somebody must remain who can administer' },
  no_transition: { status: 409, title: 'No transition leads to that state' },
  condition_not_met: { status: 409, title: 'The condition of the transition does not hold' },
  experiment_changed: { status: 409, title: 'The experiment is no longer in the expected state' },
  status_conflict: { status: 409, title: 'The execution cannot go to that status' },
  already_resolved: { status: 409, title: 'The execution has been resolved' },
  stale_attempt: { status: 409, title: 'The report is of an earlier attempt' },
  action_open: { status: 409, title: 'The latest action of the experiment has not ended' },
  nothing_to_retry: { status: 409, title: 'There is nothing to retry' },
  callback_retired: { status: 409, title: 'The callback is no longer part of its workflow' },
  subject_withdrawn: { status: 409, title: 'The subject has withdrawn' },
  subject_not_withdrawn: { status: 409, title: 'The subject has not withdrawn' },
  subject_erased: { status: 409, title: 'The subject was erased' },
  erasure_not_requested: { status: 409, title: 'The erasure was not asked for within the last day' },
  no_mail_server: { status: 409, title: 'This installation sends no links to new passwords' },
  would_strand: { status: 409, title: 'Experiments would be left in a state that goes' },
  version_changed: { status: 412, title: 'It was changed since you read it' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  key_reused: { status: 422, title: 'The Idempotency-Key belongs to another request' },
  too_many_failures: { status: 429, title: 'Too many failed sign-ins' },
  too_many_resets: { status: 429, title: 'Too many asked for a new password' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  busy: { status: 503, title: 'The server is busy' },
  database_unavailable: { status: 503, title: 'The database cannot be reached' },
} as const;

export type ProblemCode = keyof typeof problemCodes;

export const problemFields = {
  type: Type.String({ description: 'Names the code as a URN.' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ description: 'What is wrong in this case, and what to do.' }),
  instance: Type.String({ description: 'The path of the request.' }),
  code: oneOf(keysOf(problemCodes)),
  errors: Type.Array(
    closed({
      pointer: Type.String({ description: 'A JSON pointer into the body, or `?name` for a query parameter.' }),
      detail: Type.String(),
      line: Type.Optional(Type.Integer({ minimum: 1, description: 'In a definition file that the body carries.' })),
      column: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
  ),
  request_id: Type.String({ description: 'Name it when you ask for help: the log has the same id.' }),
};

export const Problem = resource('Problem', 'Why a request was refused.', problemFields);
