/**
 * After each return of the database, or of the link to it, requests are answered again. Where seconds are judged: from 5 s after the
 * return on, 99 of 100.
 */
import type { FaultLine } from '../drive/lines.ts';
import type { Checker, Evidence } from './evidence.ts';

const graceMs = 5000;
const windowMs = 5000;
const share = 0.99;
/** Clients send the next request when they are answered: where fewer come, most clients wait. */
const fewest = 20;
/** In less time not even that many need to come. */
const shortestMs = 3000;
/** Around an ended connection. */
const cutMs = 1000;

export const recovers: Checker = ({ intents, outcomes, faults }) => {
  const answered = new Set(outcomes.filter(({ outcome }) => outcome === 'ok').map(nameOf));
  const acknowledged = intents.filter((intent) => answered.has(nameOf(intent)));
  return returnsOf(faults)
    .map(({ at, next }) => acknowledged.filter((intent) => intent.at > at && intent.at < next).length)
    .filter((count) => count < fewest)
    .map((count) => `After a return of the database, ${count} requests were answered.`);
};

export const quickRecovery: Checker = (evidence) =>
  judgedReturns(evidence)
    .filter(({ sent, answered }) => sent < fewest || answered < share * sent)
    .map(
      ({ sent, answered }) =>
        `Of ${sent} requests from 5 s after the return of the database on, ${answered} were answered.`,
    );

/** Every return after which clients went on for long enough to judge it. */
export function judgedReturns({ intents, outcomes, faults }: Pick<Evidence, 'intents' | 'outcomes' | 'faults'>) {
  if (!isOfTheDatabaseAlone(faults)) return [];
  const cuts = faults.filter(({ what }) => what === 'end connections').map(({ at }) => at);
  // One that the database cut off at this moment says nothing about its return.
  const isCut = ({ at }: { at: number }) => cuts.some((cut) => Math.abs(cut - at) < cutMs);
  const known = new Set(outcomes.filter((one) => one.outcome !== 'unknown' || isCut(one)).map(nameOf));
  const lastAt = intents.reduce((last, { at, move }) => (move ? Math.max(last, at) : last), 0);
  return returnsOf(faults)
    .map(({ at, next }) => {
      // What is on its way when it is killed again is another matter.
      const [from, until] = [at + graceMs, Math.min(at + graceMs + windowMs, next - 1000, lastAt - 1000)];
      const sent = intents.filter((intent) => intent.at >= from && intent.at < until);
      const answered = sent.filter((intent) => known.has(nameOf(intent))).length;
      return { ms: until - from, sent: sent.length, answered };
    })
    .filter(({ ms }) => ms >= shortestMs);
}

const returnsOf = (faults: readonly FaultLine[]) => {
  const ofTheDatabase = faults.filter(({ what }) => what === 'kill database' || what.endsWith(' link'));
  return ofTheDatabase
    .filter(({ kind }) => kind === 'back')
    .map(({ at }) => ({
      at,
      next: ofTheDatabase.find(({ kind, at: other }) => kind === 'fault' && other > at)?.at ?? Infinity,
    }));
};

/** Where servers are killed, too, there may be nobody who could answer. */
const isOfTheDatabaseAlone = (faults: readonly FaultLine[]) =>
  !faults.some(({ what, member }) => what === 'kill' && member?.startsWith('server') === true);

const nameOf = ({ token, try: number }: { token: string; try: number }) => `${token}/${number}`;
