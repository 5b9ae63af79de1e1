/** What single sign-on and the page of sign-in tell each other: where it begins, and by a short code why nobody came in. */

/** Outside the interface: a browser goes there, no program. */
export const singleSignOnPath = '/sign-in/oidc';
export const singleSignOnCallbackPath = `${singleSignOnPath}/callback`;

/** The page of sign-in finds the code in its own address, under this name. */
export const signInProblemParameter = 'problem';

/** Each code with what people are told. No word of the provider's is among them. */
export const signInProblems = {
  insecure_connection: 'This connection is not encrypted. Open this page over https, and sign in there.',
  sign_in_expired:
    'This sign-in is over: it took longer than 10 minutes, was used already, or began in another browser. Begin again.',
  sign_in_cancelled: 'The sign-in was cancelled. Begin again when you like.',
  sign_in_refused:
    'What came back from the sign-in of your organisation could not be trusted, so you are not signed in.',
  provider_unavailable:
    'The sign-in of your organisation does not answer. Try again in a while, or sign in with a password if you have one.',
  too_many_sign_ins:
    'Too many sign-ins were begun from your address, and none of them came to its end. Try again in 15 minutes.',
  account_inactive: 'Your account is not active. Ask an administrator.',
  last_admin:
    'Your organisation no longer lists you as an administrator, but you are the last one here. Somebody else has to become one first.',
  busy: 'Your account is being changed at this moment, or the server is busy. Try again.',
} as const;

export type SignInProblem = keyof typeof signInProblems;
