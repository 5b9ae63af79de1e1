/** Errors as the interface shows them: RFC 9457 problem objects with a closed list of codes (docs/errors.md). */
import { Type } from 'typebox';
import { closed } from './values.ts';

export const problemCodes = {
  malformed_request: { status: 400, title: 'The request could not be read' },
  invalid_request: { status: 400, title: 'The request does not fit the operation' },
  not_signed_in: { status: 401, title: 'Sign in first' },
  wrong_credentials: { status: 401, title: 'The credentials are not valid' },
  not_allowed: { status: 403, title: 'You may not do this' },
  not_found: { status: 404, title: 'There is no such thing' },
  no_such_path: { status: 404, title: 'There is nothing at this address' },
  method_not_allowed: { status: 405, title: 'This address does not take that method' },
  already_exists: { status: 409, title: 'It exists already' },
  ambiguous_reference: { status: 409, title: 'More than one thing has this name' },
  last_admin: { status: 409, title: 'Somebody must remain who can administer' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  too_many_failures: { status: 429, title: 'Too many failed sign-ins' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  busy: { status: 503, title: 'The server is busy' },
  database_unavailable: { status: 503, title: 'The database cannot be reached' },
} as const;

export type ProblemCode = keyof typeof problemCodes;

export const Problem = closed(
  {
    type: Type.String({ description: 'Where this code is explained.' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What is wrong in this case, and what to do.' }),
    instance: Type.String({ description: 'The path of the request.' }),
    code: Type.Enum(Object.keys(problemCodes) as ProblemCode[]),
    errors: Type.Array(
      closed({
        pointer: Type.String({ description: 'A JSON pointer into the body, or `?name` for a query parameter.' }),
        detail: Type.String(),
      }),
    ),
    request_id: Type.String({ description: 'Name it when you ask for help: the log has the same id.' }),
  },
  { title: 'Problem', description: 'Why a request was refused.' },
);
