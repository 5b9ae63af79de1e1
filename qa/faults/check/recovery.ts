/** From 5 s after the return of the database on, 99 of 100 requests are answered as if nothing had been. */
import type { FaultLine } from '../drive/lines.ts';
import type { Checker } from './evidence.ts';

const graceMs = 5000;
const windowMs = 5000;
const share = 0.99;

/** Where servers are killed, too, there may be nobody who could answer. */
const isOfTheDatabaseAlone = (faults: readonly FaultLine[]) =>
  !faults.some(({ what, member }) => what === 'kill' && member?.startsWith('server') === true);

export const quickRecovery: Checker = ({ intents, outcomes, faults }) => {
  if (!isOfTheDatabaseAlone(faults)) return [];
  const known = new Set(
    outcomes.filter(({ outcome }) => outcome !== 'unknown').map(({ token, try: number }) => `${token}/${number}`),
  );
  const back = faults.filter(({ kind, what }) => kind === 'back' && what === 'kill database');
  return back.flatMap(({ at }) => {
    const from = at + graceMs;
    // What is done to it next is another matter.
    const next = faults.find(({ kind, at: other }) => kind === 'fault' && other > from)?.at ?? Infinity;
    const until = Math.min(from + windowMs, next - 1000);
    const sent = intents.filter((intent) => intent.at >= from && intent.at < until);
    const answered = sent.filter(({ token, try: number }) => known.has(`${token}/${number}`)).length;
    return answered >= share * sent.length
      ? []
      : [`Of ${sent.length} requests from 5 s after the return of the database on, ${answered} were answered.`];
  });
};
