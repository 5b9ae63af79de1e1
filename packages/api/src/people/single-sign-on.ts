/** What the server and the sign-in page share about single sign-on: its paths, and the codes of failures. */

/** Outside the API, because only browsers use them. */
export const singleSignOnPath = '/sign-in/oidc';
export const singleSignOnCallbackPath = `${singleSignOnPath}/callback`;

/** The query parameter of the sign-in page that has the code. */
export const signInProblemParameter = 'problem';

/** The message of each code. Nothing in them comes from the provider. */
export const signInProblems = {
  insecure_connection: 'This connection is not encrypted. Open this page over HTTPS to sign in.',
  sign_in_expired:
    'This sign-in took longer than 10 minutes, was already used, or was started in another browser. Start again.',
  sign_in_cancelled: 'The sign-in was cancelled.',
  sign_in_refused:
    "The response from your organisation's sign-in service could not be verified. You are not signed in.",
  provider_unavailable:
    "Your organisation's sign-in service is not responding. Try again later, or sign in with a password if you have one.",
  too_many_sign_ins: 'Too many unfinished sign-ins from your network address. Try again in 15 minutes.',
  account_inactive: 'Your account is deactivated. Ask an administrator to activate it.',
  last_admin:
    'Your organisation no longer lists you as an administrator, but you are the last one. Make another user an ' +
    'administrator first.',
  busy: 'Your account is being changed, or the server is busy. Try again.',
} as const;

export type SignInProblem = keyof typeof signInProblems;
