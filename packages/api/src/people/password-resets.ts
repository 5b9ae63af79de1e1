/** Operations of the sign-in page, beyond the specification: sign-in options and password resets by e-mail. */
import { Type } from 'typebox';
import { defineOperations } from '../operation.ts';
import { Password } from './people.ts';
import { publicAccess } from '../permission.ts';
import * as v from '../values.ts';

export const SignInWays = v.resource('SignInWays', 'The sign-in options besides username and password.', {
  single_sign_on: {
    ...v.nullable(
      v.closed({
        name: Type.String({ description: 'The display name of the provider.' }),
        uri: Type.String({ description: 'The path that starts single sign-on in a browser.' }),
      }),
    ),
    description: 'Null if single sign-on is not configured.',
  },
  password_reset: Type.Boolean({ description: 'Whether users can reset their password by e-mail.' }),
});

const requestedMessage =
  'If an active account that signs in with a password has this username or e-mail address, it will receive a link by e-mail. ' +
  'The link works once, for 30 minutes.';

export const passwordResetOperations = defineOperations({
  getSignInWays: {
    method: 'GET',
    path: '/sign-in',
    summary: 'Read the sign-in options',
    description: 'For the sign-in page.',
    access: publicAccess,
    response: SignInWays,
    statuses: { 200: 'The sign-in options.' },
    example: { response: { single_sign_on: null, password_reset: true } },
  },
  askPasswordReset: {
    method: 'POST',
    path: '/password-resets',
    summary: 'Request a password reset',
    description:
      'A worker sends a link to the e-mail address of the account. The response and its timing do not reveal whether the ' +
      'account exists. An account receives at most three e-mails per hour.',
    access: publicAccess,
    body: v.closed({
      login: Type.String({ minLength: 1, maxLength: 255, description: 'The username or the e-mail address.' }),
    }),
    response: v.closed({ message: Type.String() }),
    idempotencyKey: 'ignored',
    statuses: {
      202: 'The request was accepted.',
      403: 'The request came from another site.',
      409: 'Password resets are not available on this server.',
      429: 'Too many password resets from your network address. `Retry-After` says when to try again.',
    },
    example: { body: { login: 'j.jansen' }, response: { message: requestedMessage } },
  },
  redeemPasswordReset: {
    method: 'POST',
    path: '/password-resets/redeem',
    summary: 'Set a new password with a reset link',
    description:
      'The token is the part of the link after `#`. It works once. All sessions of the account end. Requires HTTPS, except ' +
      'on the same machine.',
    access: publicAccess,
    body: v.closed({
      token: Type.String({ minLength: 1, maxLength: 255, writeOnly: true }),
      password: Password,
    }),
    response: v.closed({ username: v.Label }),
    idempotencyKey: 'ignored',
    statuses: {
      200: 'The password was changed.',
      403: 'The link is invalid or expired, the connection is not encrypted, or the request came from another site.',
      429: 'Too many invalid links from your network address. `Retry-After` says when to try again.',
    },
    example: {
      body: { token: 'Zm9ydHktdGhyZWUgcmFuZG9tIGNoYXJhY3RlcnMgaGVyZQ', password: 'a sentence is a fine password' },
      response: { username: 'j.jansen' },
    },
  },
});

/** The same response for every request, so that it does not reveal whether the account exists. */
export const resetRequested = { message: requestedMessage };
