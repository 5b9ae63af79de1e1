/** All checkers, with the letters of docs/explanation/reliability.md. */
import { acknowledgedOnce } from './a-acknowledged.ts';
import { errorResponses } from './error-responses.ts';
import { intendedOnly } from './b-intended.ts';
import { oneSequence } from './c-one-sequence.ts';
import { oneExecutionEach } from './d-executions.ts';
import { validStatuses } from './e-statuses.ts';
import type { StormPlan } from '../storm.ts';
import type { Checker } from './evidence.ts';
import { leasesAreKept, received, receivedInTime } from './f-received.ts';
import { verified } from './g-verified.ts';
import { allFinished, allFinishedInTime } from './h-all-finished.ts';
import { runsSurviveOutages } from './outages.ts';
import { gracefulShutdowns, promptShutdowns } from './shutdowns.ts';
import { everyRequestCompletes, promptFailures } from './response-times.ts';
import { quickRecovery, recovers } from './recovery.ts';

const always: Record<string, Checker> = {
  '(a) each acknowledged change exists exactly once': acknowledgedOnce,
  '(b) no change exists that was not intended': intendedOnly,
  '(c) the changes of each experiment form one sequence': oneSequence,
  '(d) each callback of a move has one execution': oneExecutionEach,
  '(e) statuses are valid and times in order': validStatuses,
  '(g) the history verifies': verified,
  'failures are 503 with Retry-After, and no process exits by itself': errorResponses,
};

interface Checkers {
  always: Record<string, Checker>;
  ofTheDatabase: Record<string, Checker>;
  ofTheLink: Record<string, Checker>;
  ofShutdowns: Record<string, Checker>;
}

/** Check that something happens. */
const events: Checkers = {
  always: {
    '(f) successful callbacks reached the receiver, and further attempts have a cause': received,
    '(h) all work finishes': allFinished,
  },
  ofTheDatabase: { 'requests succeed again after the database returns': recovers },
  ofTheLink: { 'every request gets a response while the database link fails': everyRequestCompletes },
  ofShutdowns: { 'a graceful shutdown leaves no request without a response and returns all runs': gracefulShutdowns },
};

/** Also check how long it takes. */
const durations: Checkers = {
  always: {
    '(f) successful callbacks reached the receiver, and further attempts have a cause': receivedInTime,
    '(h) all work finishes in time': allFinishedInTime,
    'workers without a fault keep their leases': leasesAreKept,
  },
  ofTheDatabase: {
    ...events.ofTheDatabase,
    '99 % of requests complete from 5 s after the database returns': quickRecovery,
  },
  ofTheLink: { 'requests fail within 5 s while the database link fails': promptFailures },
  ofShutdowns: { 'a graceful shutdown fails no request and returns all runs within 10 s': promptShutdowns },
};

type CheckedPlan = Partial<
  Pick<StormPlan, 'databaseKills' | 'linkFaults' | 'outages' | 'shutdowns' | 'checkDurations'>
>;

/** The checkers that apply to the faults of the plan. */
export function checkersFor(plan: CheckedPlan) {
  const { databaseKills = 0, linkFaults = 0, outages = 0, shutdowns = 0, checkDurations = false } = plan;
  const timed = checkDurations ? durations : events;
  return {
    ...always,
    ...timed.always,
    ...(databaseKills + linkFaults + outages > 0 && timed.ofTheDatabase),
    ...(linkFaults > 0 && timed.ofTheLink),
    ...(outages > 0 && { 'no running callback starts again after an outage': runsSurviveOutages }),
    ...(shutdowns > 0 && timed.ofShutdowns),
  } satisfies Record<string, Checker>;
}
