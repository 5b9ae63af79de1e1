/** What the specification lacks for programs: tokens of an account, which may do less than it, and end. */
import { Type } from 'typebox';
import { defineOperations } from './operation.ts';
import { CurrentPassword, recentMinutes } from './people.ts';
import { ownAccountOr, permissions } from './permission.ts';
import * as v from './values.ts';

/** Tokens begin so, and nothing else that is sent as a bearer does. */
export const tokenPrefix = 'mp_';

/** The longest that a token may last, and how many an account may have at a time. */
export const longestTokenDays = 366;
export const mostTokens = 100;

const Name = { ...v.Label, description: 'What it is for, in words of your own.' };
const Permissions = Type.Array(v.oneOf(permissions), {
  uniqueItems: true,
  maxItems: permissions.length,
  description:
    'What it may do at most. At each request these count that its owner has, too. Without any it may read what every ' +
    'role of its owner may read.',
});
const ExpiresAt = { ...v.Time, description: `From then on it opens nothing. At most ${longestTokenDays} days ahead.` };

export const ApiToken = v.resource('ApiToken', 'A token of an account, without the token itself.', {
  id: v.Id,
  name: Name,
  permissions: Permissions,
  created_at: v.Time,
  expires_at: ExpiresAt,
  last_used_at: { ...v.nullable(v.Time), description: 'To the minute. Null while it was never used.' },
  revoked_at: { ...v.nullable(v.Time), description: 'Null while nobody ended it before its time.' },
});

export const CreatedApiToken = v.resource('CreatedApiToken', 'A new token.', {
  ...ApiToken.properties,
  token: Type.String({
    description: `What to send as \`Authorization: Bearer ${tokenPrefix}...\`. It is answered here only: keep it as you keep a password.`,
  }),
});

const tokenExample = {
  id: 12,
  name: 'Nightly import',
  permissions: ['sample_add', 'sample_update'],
  created_at: '2026-02-17T08:15:00Z',
  expires_at: '2026-08-17T08:15:00Z',
  last_used_at: null,
  revoked_at: null,
};

const notYours = 'This is not your account, and you may not manage the tokens of others';

export const tokenOperations = defineOperations({
  listApiTokens: {
    method: 'GET',
    path: '/users/{id}/tokens',
    summary: 'List the tokens of an account',
    description:
      'Also those that are over, for as long as they are kept, ordered by id. The tokens themselves are never shown.',
    access: ownAccountOr('token_manage'),
    installationWide: true,
    params: v.ById,
    query: v.Page,
    response: v.listOf('tokens', ApiToken),
    statuses: { 200: 'The tokens.', 403: `${notYours}.`, 404: 'No user has this id.' },
    example: { response: { tokens: [tokenExample] } },
  },
  createApiToken: {
    method: 'POST',
    path: '/users/{id}/tokens',
    summary: 'Create a token of an account',
    description:
      'The answer has the token, this once. Its permissions are among those that the owner has; for the account of somebody ' +
      'else you must have all that its owner has. By a session it takes your `current_password`, and without a password one that ' +
      `is at most ${recentMinutes} minutes old. An account has at most ${mostTokens} tokens at a time. ` +
      'Repeated, the request creates another one: an `Idempotency-Key` is ignored, as nothing of the answer may be kept.',
    access: ownAccountOr('token_manage'),
    installationWide: true,
    tokens: 'refused',
    repeats: 'anew',
    params: v.ById,
    body: v.closed({
      name: Name,
      permissions: Permissions,
      expires_at: ExpiresAt,
      current_password: Type.Optional({
        ...CurrentPassword,
        description: 'Your own password. Needed if you come by a session and have one.',
      }),
    }),
    response: CreatedApiToken,
    statuses: {
      201: 'The token was created.',
      403: `${notYours}, or the owner lacks one of the permissions, or has one that you lack, or you came by a token, or by a session without your password.`,
      404: 'No user has this id.',
      409: `The account has ${mostTokens} tokens, or is not active.`,
    },
    example: {
      body: {
        name: 'Nightly import',
        permissions: ['sample_add', 'sample_update'],
        expires_at: '2026-08-17T08:15:00Z',
      },
      response: { ...tokenExample, token: 'mp_2bZ1hYcJ0vSxk4uQm3tGf8aLw9nRp6eDo7iKyTsVXqE' },
    },
  },
  revokeApiToken: {
    method: 'DELETE',
    path: '/users/{id}/tokens/{token_id}',
    summary: 'Revoke a token',
    description: 'It opens nothing any more, from the next request on.',
    access: ownAccountOr('token_manage'),
    installationWide: true,
    params: v.closed({ id: v.Id, token_id: v.Id }),
    response: ApiToken,
    statuses: {
      200: 'The token, which is over.',
      403: `${notYours}.`,
      404: 'No open token of this account has this id.',
    },
    example: { response: { ...tokenExample, revoked_at: '2026-03-02T16:20:00Z' } },
  },
});
