/**
 * Where the link to the database fails, every request is answered. Where seconds are judged: within 5 s. Over a slow link, requests
 * of many statements may take longer and succeed; those that fail do so within 5 s there, too.
 */
import type { Checker, Evidence } from './evidence.ts';

/** 5.25 s for a statement, and what it takes to send a request and to read its answer on a busy machine. */
const longestMs = 6000;

export const everyRequestEnds: Checker = (evidence) => [
  ...unended(evidence).map((name) => `${name} has no outcome.`),
  ...(isTroubled(evidence.faults) ? evidence.outcomes : [])
    .filter(({ status }) => status === 0)
    .map(({ token }) => `${token} was not answered.`),
];

export const promptAnswers: Checker = (evidence) => [
  ...everyRequestEnds(evidence),
  ...answerTimes(evidence)
    .filter(({ ms, outcome, at }) => ms > longestMs && (outcome === 'unknown' || !isSlow(evidence.faults, at - ms, at)))
    .map(({ token, ms }) => `${token} was answered after ${Math.round(ms)} ms.`),
];

/** Every try ends somehow, and is written down. */
function unended({ intents, outcomes, faults }: Evidence): string[] {
  if (!isTroubled(faults)) return [];
  const ended = new Set(outcomes.map(({ token, try: number }) => `${token}/${number}`));
  return intents.map(({ token, try: number }) => `${token}/${number}`).filter((name) => !ended.has(name));
}

const isTroubled = (faults: Evidence['faults']) => faults.some(({ what }) => what.endsWith(' link'));

/** Whether the link was slow for some of this time. */
const isSlow = (faults: Evidence['faults'], from: number, until: number) =>
  faults.some(
    ({ kind, what, at }, index) =>
      kind === 'fault' && what === 'slow link' && at < until && (endOf(what, faults.slice(index)) ?? until) > from,
  );

const endOf = (of: string, faults: Evidence['faults']) =>
  faults.find(({ kind, what }) => kind === 'back' && what === of)?.at;

/** Of all requests of a run whose link was troubled. */
export function answerTimes({ intents, outcomes, faults }: Pick<Evidence, 'intents' | 'outcomes' | 'faults'>) {
  if (!isTroubled(faults)) return [];
  const sent = new Map(intents.map(({ token, try: number, at }) => [`${token}/${number}`, at]));
  return outcomes.map(({ token, try: number, at, outcome }) => {
    return { token, outcome, at, ms: at - (sent.get(`${token}/${number}`) ?? at) };
  });
}
