/** While the link to the database is slow, reset or dead, every request has an answer within 5 s. */
import type { Checker, Evidence } from './evidence.ts';

/** 5.25 s for a statement, and what it takes to send a request and to read its answer on a busy machine. */
const longestMs = 6000;

export const promptAnswers: Checker = (evidence) => [
  ...answerTimes(evidence)
    .filter(({ ms }) => ms > longestMs)
    .map(({ token, ms }) => `${token} was answered after ${Math.round(ms)} ms.`),
  ...unanswered(evidence).map((name) => `${name} has no outcome.`),
];

/** Every try ends somehow, and is written down. */
function unanswered({ intents, outcomes, faults }: Evidence): string[] {
  if (!isTroubled(faults)) return [];
  const ended = new Set(outcomes.map(({ token, try: number }) => `${token}/${number}`));
  return intents.map(({ token, try: number }) => `${token}/${number}`).filter((name) => !ended.has(name));
}

const isTroubled = (faults: Evidence['faults']) => faults.some(({ what }) => what.endsWith(' link'));

/** Of all requests of a run whose link was troubled. */
export function answerTimes({ intents, outcomes, faults }: Pick<Evidence, 'intents' | 'outcomes' | 'faults'>) {
  if (!isTroubled(faults)) return [];
  const sent = new Map(intents.map(({ token, try: number, at }) => [`${token}/${number}`, at]));
  return outcomes.map(({ token, try: number, at }) => ({ token, ms: at - (sent.get(`${token}/${number}`) ?? at) }));
}
