/**
 * While the database link fails, every request gets a response. If durations are checked, it gets it within 5 s. Over a slow
 * link, successful requests with many statements may take longer, but failures must happen within 5 s.
 */
import type { Checker, Evidence } from './evidence.ts';

/** 5.25 s for a statement, and the time to send a request and read its response on a busy machine. */
const maxMs = 6000;

export const everyRequestCompletes: Checker = (evidence) => [
  ...withoutOutcome(evidence).map((name) => `${name} has no outcome.`),
  ...(hasLinkFault(evidence.faults) ? evidence.outcomes : [])
    .filter(({ status }) => status === 0)
    .map(({ token }) => `${token} got no response.`),
];

export const promptFailures: Checker = (evidence) => [
  ...everyRequestCompletes(evidence),
  ...responseTimes(evidence)
    .filter(({ ms, outcome, at }) => ms > maxMs && (outcome === 'unknown' || !isSlow(evidence.faults, at - ms, at)))
    .map(({ token, ms }) => `${token} got its response after ${Math.round(ms)} ms.`),
];

/** Attempts without an outcome in the journal. */
function withoutOutcome({ intents, outcomes, faults }: Evidence): string[] {
  if (!hasLinkFault(faults)) return [];
  const completed = new Set(outcomes.map(({ token, try: number }) => `${token}/${number}`));
  return intents.map(({ token, try: number }) => `${token}/${number}`).filter((name) => !completed.has(name));
}

const hasLinkFault = (faults: Evidence['faults']) => faults.some(({ what }) => what.endsWith(' link'));

/** Whether the link was slow during part of this time. */
const isSlow = (faults: Evidence['faults'], from: number, until: number) =>
  faults.some(
    ({ kind, what, at }, index) =>
      kind === 'fault' && what === 'slow link' && at < until && (endOf(what, faults.slice(index)) ?? until) > from,
  );

const endOf = (of: string, faults: Evidence['faults']) =>
  faults.find(({ kind, what }) => kind === 'back' && what === of)?.at;

/** The response times of all requests, if the run had link faults. */
export function responseTimes({ intents, outcomes, faults }: Pick<Evidence, 'intents' | 'outcomes' | 'faults'>) {
  if (!hasLinkFault(faults)) return [];
  const sent = new Map(intents.map(({ token, try: number, at }) => [`${token}/${number}`, at]));
  return outcomes.map(({ token, try: number, at, outcome }) => {
    return { token, outcome, at, ms: at - (sent.get(`${token}/${number}`) ?? at) };
  });
}
