/** All checkers by their letters, as docs/explanation/reliability.md names them. */
import { acknowledgedOnce } from './a-acknowledged.ts';
import { goodAnswers } from './answers.ts';
import { intendedOnly } from './b-intended.ts';
import { oneLine } from './c-one-line.ts';
import { oneExecutionEach } from './d-executions.ts';
import { legalStatuses } from './e-statuses.ts';
import type { StormPlan } from '../storm.ts';
import type { Checker } from './evidence.ts';
import { leasesAreKept, received, receivedInTime } from './f-received.ts';
import { verified } from './g-verified.ts';
import { everythingEnds, everythingEndsInTime } from './h-everything-ends.ts';
import { goodEnds, promptEnds } from './good-ends.ts';
import { everyRequestEnds, promptAnswers } from './prompt-answers.ts';
import { quickRecovery, recovers } from './recovery.ts';

const always: Record<string, Checker> = {
  '(a) each acknowledged change is there once': acknowledgedOnce,
  '(b) nothing is there that nobody intended': intendedOnly,
  '(c) one line for each experiment': oneLine,
  '(d) one execution for each callback of a move': oneExecutionEach,
  '(e) legal statuses, times in order': legalStatuses,
  '(g) the history verifies': verified,
  'answers are 503 with Retry-After, and no process ends by itself': goodAnswers,
};

interface Checkers {
  always: Record<string, Checker>;
  ofTheDatabase: Record<string, Checker>;
  ofTheLink: Record<string, Checker>;
  ofEnds: Record<string, Checker>;
}

/** That things happen. */
const events: Checkers = {
  always: {
    '(f) successes reached the receiver, repeats have a cause': received,
    '(h) everything ends': everythingEnds,
  },
  ofTheDatabase: { 'requests are answered again after the return of the database': recovers },
  ofTheLink: { 'every request is answered where the link to the database fails': everyRequestEnds },
  ofEnds: { 'a process that is asked to end leaves no request unanswered, and gives back what it runs': goodEnds },
};

/** And within how many seconds. */
const seconds: Checkers = {
  always: {
    '(f) successes reached the receiver, repeats have a cause': receivedInTime,
    '(h) everything ends in time': everythingEndsInTime,
    'workers without a fault keep their leases': leasesAreKept,
  },
  ofTheDatabase: { ...events.ofTheDatabase, '99 % are answered 5 s after the return of the database': quickRecovery },
  ofTheLink: { 'requests fail within 5 s where the link to the database does': promptAnswers },
  ofEnds: { 'a process that is asked to end fails no request, and gives back what it runs within 10 s': promptEnds },
};

type Judged = Partial<Pick<StormPlan, 'databaseKills' | 'troubles' | 'ends' | 'inSeconds'>>;

/** Those that such faults give something to judge. */
export function checkersFor({ databaseKills = 0, troubles = 0, ends = 0, inSeconds = false }: Judged) {
  const timed = inSeconds ? seconds : events;
  return {
    ...always,
    ...timed.always,
    ...(databaseKills + troubles > 0 && timed.ofTheDatabase),
    ...(troubles > 0 && timed.ofTheLink),
    ...(ends > 0 && timed.ofEnds),
  } satisfies Record<string, Checker>;
}
