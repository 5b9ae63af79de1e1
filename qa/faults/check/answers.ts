/** What servers say while things go wrong: 503, and when to come again; never another failure, never an end of theirs. */
import type { Checker } from './evidence.ts';

export const goodAnswers: Checker = ({ outcomes, faults }) => [
  ...outcomes
    .filter(({ status }) => status >= 500 && status !== 503)
    .map(({ token, status, code }) => `${token} was answered with ${status} ${code}.`),
  ...outcomes
    .filter(({ status, retryAfter }) => status === 503 && !retryAfter)
    .map(({ token }) => `${token} was answered with 503, but not when to come again.`),
  ...faults.filter(({ kind }) => kind === 'exit').map(({ member, what }) => `${member} ${what}.`),
];
