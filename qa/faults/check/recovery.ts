/**
 * After the database or its link returns, requests succeed again. If durations are checked, 99 % of the requests from 5 s after
 * the return complete, with success or a rejection.
 */
import type { FaultLine } from '../drive/lines.ts';
import type { Checker, Evidence } from './evidence.ts';

const graceMs = 5000;
const windowMs = 5000;
const share = 0.99;
/** A client sends its next request after the response to the last one. If there are fewer requests, most clients are waiting. */
const minRequests = 20;
/** Shorter windows may have fewer requests. */
const minWindowMs = 3000;
/** The time around a closed connection in which failures are ignored. */
const cutMs = 1000;

export const recovers: Checker = ({ intents, outcomes, faults }) => {
  const succeeded = new Set(outcomes.filter(({ outcome }) => outcome === 'ok').map(nameOf));
  const acknowledged = intents.filter((intent) => succeeded.has(nameOf(intent)));
  return recoveriesOf(faults)
    .map(({ at, next }) => acknowledged.filter((intent) => intent.at > at && intent.at < next).length)
    .filter((count) => count < minRequests)
    .map((count) => `After the database returned, only ${count} requests succeeded.`);
};

export const quickRecovery: Checker = (evidence) =>
  evaluatedRecoveries(evidence)
    .filter(({ sent, completed }) => sent < minRequests || completed < share * sent)
    .map(({ sent, completed }) => `Of ${sent} requests from 5 s after the database returned, ${completed} completed.`);

/** The recoveries that were followed by enough requests to evaluate them. */
export function evaluatedRecoveries({ intents, outcomes, faults }: Pick<Evidence, 'intents' | 'outcomes' | 'faults'>) {
  if (!isOfTheDatabaseAlone(faults)) return [];
  const cuts = faults.filter(({ what }) => what === 'close connections').map(({ at }) => at);
  // A failure at the time of a closed connection is unrelated to the recovery.
  const isCut = ({ at }: { at: number }) => cuts.some((cut) => Math.abs(cut - at) < cutMs);
  const known = new Set(outcomes.filter((one) => one.outcome !== 'unknown' || isCut(one)).map(nameOf));
  const lastAt = intents.reduce((last, { at, move }) => (move ? Math.max(last, at) : last), 0);
  return recoveriesOf(faults)
    .map(({ at, next }) => {
      // Requests in progress at the next kill are not evaluated.
      const [from, until] = [at + graceMs, Math.min(at + graceMs + windowMs, next - 1000, lastAt - 1000)];
      const sent = intents.filter((intent) => intent.at >= from && intent.at < until);
      const completed = sent.filter((intent) => known.has(nameOf(intent))).length;
      return { ms: until - from, sent: sent.length, completed };
    })
    .filter(({ ms }) => ms >= minWindowMs);
}

const recoveriesOf = (faults: readonly FaultLine[]) => {
  const ofTheDatabase = faults.filter(
    ({ what }) => what === 'kill database' || what === 'outage' || what.endsWith(' link'),
  );
  return ofTheDatabase
    .filter(({ kind }) => kind === 'back')
    .map(({ at }) => ({
      at,
      next: ofTheDatabase.find(({ kind, at: other }) => kind === 'fault' && other > at)?.at ?? Infinity,
    }));
};

/** If servers are killed too, no server may be running. */
const isOfTheDatabaseAlone = (faults: readonly FaultLine[]) =>
  !faults.some(({ what, member }) => what === 'kill' && member?.startsWith('server') === true);

const nameOf = ({ token, try: number }: { token: string; try: number }) => `${token}/${number}`;
