/** All checkers by their letters, as docs/reliability.md names them. */
import { acknowledgedOnce } from './a-acknowledged.ts';
import { goodAnswers } from './answers.ts';
import { intendedOnly } from './b-intended.ts';
import { oneLine } from './c-one-line.ts';
import { oneExecutionEach } from './d-executions.ts';
import { legalStatuses } from './e-statuses.ts';
import type { FaultPlan } from '../schedule.ts';
import type { Checker } from './evidence.ts';
import { received } from './f-received.ts';
import { verified } from './g-verified.ts';
import { everythingEnds } from './h-everything-ends.ts';
import { goodEnds } from './good-ends.ts';
import { promptAnswers } from './prompt-answers.ts';
import { quickRecovery } from './recovery.ts';

/** Those that say something of every run. */
const always: Record<string, Checker> = {
  '(a) each acknowledged change is there once': acknowledgedOnce,
  '(b) nothing is there that nobody intended': intendedOnly,
  '(c) one line for each experiment': oneLine,
  '(d) one execution for each callback of a move': oneExecutionEach,
  '(e) legal statuses, times in order': legalStatuses,
  '(f) successes reached the receiver, repeats have a cause': received,
  '(g) the history verifies': verified,
  '(h) everything ends in time': everythingEnds,
  'answers are 503 with Retry-After, and no process ends by itself': goodAnswers,
};

const ofTheDatabase = { '99 % are answered 5 s after the return of the database': quickRecovery };
const ofTheLink = { 'requests fail within 5 s where the link to the database does': promptAnswers };
const ofEnds = { 'who is asked to end fails no request, and gives back what it runs within 10 s': goodEnds };

type Faults = Partial<Pick<FaultPlan, 'databaseKills' | 'troubles' | 'ends'>>;

/** Those that such faults give something to look at. */
export const checkersFor = ({ databaseKills = 0, troubles = 0, ends = 0 }: Faults): Record<string, Checker> => ({
  ...always,
  ...(databaseKills + troubles > 0 && ofTheDatabase),
  ...(troubles > 0 && ofTheLink),
  ...(ends > 0 && ofEnds),
});
