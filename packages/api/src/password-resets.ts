/** What the page of sign-in needs before anybody has signed in: which ways there are, and a new password by mail. */
import { Type } from 'typebox';
import { defineOperations } from './operation.ts';
import { Password } from './people.ts';
import { everybody } from './permission.ts';
import * as v from './values.ts';

export const SignInWays = v.resource('SignInWays', 'How people can sign in here beside name and password.', {
  single_sign_on: {
    ...v.nullable(
      v.closed({
        name: Type.String({ description: 'What the provider is called.' }),
        uri: Type.String({ description: 'Where a browser begins.' }),
      }),
    ),
    description: 'Null where there is none.',
  },
  password_reset: Type.Boolean({ description: 'Whether a new password can be asked for by mail.' }),
});

const askedWords =
  'If an active account has this name and a password, a link is on its way to its e-mail. It works once, for 30 minutes.';

export const passwordResetOperations = defineOperations({
  getSignInWays: {
    method: 'GET',
    path: '/sign-in',
    summary: 'Read how people can sign in',
    description: 'For the page of sign-in, before anybody has.',
    access: everybody,
    response: SignInWays,
    statuses: { 200: 'The ways.' },
    example: { response: { single_sign_on: null, password_reset: true } },
  },
  askPasswordReset: {
    method: 'POST',
    path: '/password-resets',
    summary: 'Ask for a new password by mail',
    description:
      'A worker sends a link to the e-mail of the account. The answer is the same, and takes as long, whether or not there ' +
      'is such an account. At most three letters go to one account within an hour.',
    access: everybody,
    body: v.closed({
      login: Type.String({ minLength: 1, maxLength: 255, description: 'The username or the e-mail.' }),
    }),
    response: v.closed({ message: Type.String() }),
    repeats: 'anew',
    statuses: {
      202: 'It was taken note of.',
      403: 'The request came from a page of another site.',
      409: 'This installation sends no links to new passwords.',
      429: 'Too much was asked for from your address; `Retry-After` says when to try again.',
    },
    example: { body: { login: 'j.jansen' }, response: { message: askedWords } },
  },
  redeemPasswordReset: {
    method: 'POST',
    path: '/password-resets/redeem',
    summary: 'Choose a new password with a link that came by mail',
    description:
      'The token is what stands behind the `#` of the link. It works once. Every session of the account ends. Only over ' +
      'https, or on this machine.',
    access: everybody,
    body: v.closed({
      token: Type.String({ minLength: 1, maxLength: 255, writeOnly: true }),
      password: Password,
    }),
    response: v.closed({ username: v.Label }),
    repeats: 'anew',
    statuses: {
      200: 'The new password holds. Sign in with it.',
      403: 'The link is over or was none of ours, the connection is not encrypted, or the request came from a page of another site.',
      429: 'Too many links that did not work came from your address; `Retry-After` says when to try again.',
    },
    example: {
      body: { token: 'Zm9ydHktdGhyZWUgcmFuZG9tIGNoYXJhY3RlcnMgaGVyZQ', password: 'a sentence is a fine password' },
      response: { username: 'j.jansen' },
    },
  },
});

/** The answer to whoever asks, whatever they asked for. */
export const resetAskedFor = { message: askedWords };
