/** API tokens, beyond the specification: credentials for programs, with their own permissions and an expiry date. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { CurrentPassword, recentSignInMinutes } from './people.ts';
import { ownAccountOr, permissions } from '../permission.ts';
import * as v from '../values.ts';

/** Distinguishes API tokens from other bearer credentials. */
export const tokenPrefix = 'mp_';

export const maxTokenDays = 366;
/** Active tokens per account. */
export const maxTokens = 100;

const Name = { ...v.Label, description: 'A name that says what the token is for.' };
const aboutPermissions =
  'The permissions of the token. Each applies only while the owner also has it. Any permission that applies allows reading. ' +
  'For a token that only reads, use `user_read`. A token without permissions can read only the account of its owner.';
const Permissions = Type.Array(v.oneOf(permissions), {
  uniqueItems: true,
  maxItems: permissions.length,
  description: aboutPermissions,
});
const ExpiresAt = {
  ...v.Time,
  description: `When the token expires, at most ${maxTokenDays} days after its creation.`,
};

export const ApiToken = v.resource('ApiToken', 'An API token, without its value.', {
  id: v.Id,
  name: Name,
  permissions: Type.Array(Type.String(), { description: aboutPermissions }),
  created_at: v.Time,
  expires_at: ExpiresAt,
  last_used_at: { ...v.nullable(v.Time), description: 'To the minute. Null if the token was never used.' },
  revoked_at: { ...v.nullable(v.Time), description: 'Null if the token was not revoked.' },
});

export const CreatedApiToken = v.resource('CreatedApiToken', 'A new API token.', {
  ...ApiToken.properties,
  token: Type.String({
    description: `Send it as \`Authorization: Bearer ${tokenPrefix}...\`. It is shown only once. Store it like a password.`,
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

const notYours = 'This is not your account, and you do not have the permission `token_manage`';

export const tokenOperations = defineOperations({
  listApiTokens: {
    method: 'GET',
    path: '/users/{id}/tokens',
    summary: 'List the API tokens of an account',
    description:
      'Includes expired and revoked tokens until they are deleted. Ordered by id. The values of the tokens are never shown.',
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
    summary: 'Create an API token',
    description:
      'The response contains the token, which is shown only once. The owner must have all permissions of the token. To ' +
      'create a token for another account, you need all permissions of its owner. With a session you must send your ' +
      '`current_password`, or, if your account has no password, have signed in within the last ' +
      `${recentSignInMinutes} minutes. An account can have at most ${maxTokens} active tokens. \`Idempotency-Key\` is ignored, ` +
      'because the response must not be stored, so a repeated request creates another token.',
    access: ownAccountOr('token_manage'),
    installationWide: true,
    tokens: 'refused',
    idempotencyKey: 'ignored',
    params: v.ById,
    body: v.closed({
      name: Name,
      permissions: Permissions,
      expires_at: ExpiresAt,
      current_password: v.guard({
        ...CurrentPassword,
        description: 'Your own current password. Required if you are signed in with a session and have a password.',
      }),
    }),
    response: CreatedApiToken,
    statuses: {
      201: 'The token was created.',
      403:
        'You cannot manage the tokens of this account, its owner does not have all of these permissions, you used an API ' +
        'token, or `current_password` is missing or wrong.',
      404: 'No user has this id.',
      409: `The account has ${maxTokens} active tokens, or it is deactivated.`,
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
    summary: 'Revoke an API token',
    description: 'Takes effect with the next request.',
    access: ownAccountOr('token_manage'),
    installationWide: true,
    tokens: 'itself',
    params: v.closed({ id: v.Id, token_id: v.Id }),
    response: ApiToken,
    statuses: {
      200: 'The revoked token.',
      403: `${notYours}.`,
      404: 'No active token of this account has this id.',
    },
    example: { response: { ...tokenExample, revoked_at: '2026-03-02T16:20:00Z' } },
  },
});
