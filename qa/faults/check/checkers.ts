/** All checkers by their letters, as docs/reliability.md names them. */
import { acknowledgedOnce } from './a-acknowledged.ts';
import { goodAnswers } from './answers.ts';
import { intendedOnly } from './b-intended.ts';
import { oneLine } from './c-one-line.ts';
import { oneExecutionEach } from './d-executions.ts';
import { legalStatuses } from './e-statuses.ts';
import type { Checker } from './evidence.ts';
import { received } from './f-received.ts';
import { everythingEnds } from './h-everything-ends.ts';
import { quickRecovery } from './recovery.ts';

export const checkers: Record<string, Checker> = {
  '(a) each acknowledged change is there once': acknowledgedOnce,
  '(b) nothing is there that nobody intended': intendedOnly,
  '(c) one line for each experiment': oneLine,
  '(d) one execution for each callback of a move': oneExecutionEach,
  '(e) legal statuses, times in order': legalStatuses,
  '(f) successes reached the receiver, repeats have a cause': received,
  '(h) everything ends in time': everythingEnds,
  'answers are 503 with Retry-After, and no process ends by itself': goodAnswers,
  '99 % are answered 5 s after the return of the database': quickRecovery,
};
