/** Errors of the API: RFC 9457 problem objects with a closed list of codes (docs/reference/errors.md). */
import { Type } from 'typebox';
import { keysOf } from './typed-keys.ts';
import { closed, oneOf, resource } from './values.ts';
import { ImportFinding } from './workflows/imports.ts';

export const problemCodes = {
  malformed_request: { status: 400, title: 'Malformed request' },
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_definition: { status: 400, title: 'Invalid definition' },
  not_signed_in: { status: 401, title: 'Not signed in' },
  wrong_credentials: { status: 401, title: 'Invalid credentials' },
  session_ended: { status: 401, title: 'Session ended' },
  token_ended: { status: 401, title: 'Token expired or revoked' },
  not_allowed: { status: 403, title: 'Not allowed' },
  cross_site: { status: 403, title: 'Cross-site request' },
  insecure_connection: { status: 403, title: 'Connection not encrypted' },
  wrong_secret: { status: 403, title: 'Wrong execution secret' },
  wrong_reset_token: { status: 403, title: 'Invalid password reset link' },
  not_found: { status: 404, title: 'Not found' },
  no_such_path: { status: 404, title: 'Path not found' },
  state_not_found: { status: 404, title: 'State not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request timeout' },
  already_exists: { status: 409, title: 'Already exists' },
  ambiguous_reference: { status: 409, title: 'Ambiguous reference' },
  too_many_tokens: { status: 409, title: 'Too many API tokens' },
  too_many_views: { status: 409, title: 'Too many saved views' },
  too_many_bulk_operations: { status: 409, title: 'Too many bulk operations' },
  too_many_imports: { status: 409, title: 'Too many imports' },
  too_many_mappings: { status: 409, title: 'Too many saved mappings' },
  account_inactive: { status: 409, title: 'Account deactivated' },
  last_admin: { status: 409, title: 'Last administrator' },
  no_transition: { status: 409, title: 'No transition to this state' },
  condition_not_met: { status: 409, title: 'Condition not met' },
  experiment_changed: { status: 409, title: 'Experiment not in the expected state' },
  status_conflict: { status: 409, title: 'Status conflict' },
  already_resolved: { status: 409, title: 'Execution already resolved' },
  stale_attempt: { status: 409, title: 'Attempt replaced' },
  action_open: { status: 409, title: 'Latest action still open' },
  nothing_to_retry: { status: 409, title: 'Nothing to retry' },
  callback_retired: { status: 409, title: 'Callback retired' },
  subject_withdrawn: { status: 409, title: 'Subject withdrawn' },
  subject_not_withdrawn: { status: 409, title: 'Subject not withdrawn' },
  subject_erased: { status: 409, title: 'Subject erased' },
  erasure_not_requested: { status: 409, title: 'Erasure not requested' },
  no_mail_server: { status: 409, title: 'Password resets unavailable' },
  would_strand: { status: 409, title: 'Removed state still has experiments' },
  version_changed: { status: 412, title: 'Version changed' },
  body_too_large: { status: 413, title: 'Body too large' },
  values_too_large: { status: 413, title: 'Result values too large' },
  path_too_long: { status: 414, title: 'Path too long' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  unknown_column: { status: 422, title: 'Unknown column' },
  query_too_broad: { status: 422, title: 'Query too broad' },
  key_reused: { status: 422, title: 'Idempotency key reused' },
  too_many_failures: { status: 429, title: 'Too many failed sign-ins' },
  too_many_resets: { status: 429, title: 'Too many password resets' },
  headers_too_large: { status: 431, title: 'Headers too large' },
  internal_error: { status: 500, title: 'Internal error' },
  busy: { status: 503, title: 'Server busy' },
  database_unavailable: { status: 503, title: 'Database unavailable' },
} as const;

export type ProblemCode = keyof typeof problemCodes;

export const problemFields = {
  type: Type.String({ description: 'The code as a URN.' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ description: 'The cause, and how to fix it.' }),
  message: Type.String({ description: 'The same as `detail`, for programs written for Study Governor.' }),
  instance: Type.String({ description: 'The path of the request.' }),
  code: oneOf(keysOf(problemCodes)),
  errors: Type.Array(
    closed({
      pointer: Type.String({
        description: 'A JSON pointer into the body, `?name` for a query parameter, or the name of a header.',
      }),
      detail: Type.String(),
      code: Type.Optional(Type.String({ description: 'The kind of error, for errors in a YAML file in the body.' })),
      line: Type.Optional(Type.Integer({ minimum: 1, description: 'For errors in a YAML file in the body.' })),
      column: Type.Optional(Type.Integer({ minimum: 1, description: 'Also for errors in a query.' })),
      length: Type.Optional(
        Type.Integer({ minimum: 1, description: 'The number of characters, for errors in a query.' }),
      ),
      suggestion: Type.Optional(Type.String({ description: 'How to correct a query.' })),
    }),
  ),
  request_id: Type.String({ description: 'Also in the server log. Include it when you ask for help.' }),
};

export const Problem = resource('Problem', 'An error response.', {
  ...problemFields,
  warnings: Type.Optional(
    Type.Array(ImportFinding, { description: 'The warnings about a file that an import rejects.' }),
  ),
});
