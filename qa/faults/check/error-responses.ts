/** During faults, failed responses are 503 with Retry-After, and no process exits by itself. */
import type { Checker } from './evidence.ts';

export const errorResponses: Checker = ({ outcomes, faults }) => [
  ...outcomes
    .filter(({ status }) => status >= 500 && status !== 503)
    .map(({ token, status, code }) => `${token} got ${status} ${code}.`),
  ...outcomes
    .filter(({ status, retryAfter }) => status === 503 && !retryAfter)
    .map(({ token }) => `${token} got 503 without Retry-After.`),
  ...faults.filter(({ kind }) => kind === 'exit').map(({ member, what }) => `${member} ${what}.`),
];
