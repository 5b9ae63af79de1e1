/**
 * (a) Each acknowledged change is in the history exactly once, as requested. A rejected one is not there. One with an unknown
 * outcome is there at most once. Repeats of a change get the same response.
 */
import type { OutcomeLine, Intent } from '../drive/lines.ts';
import { groupBy, type Checker, type Evidence } from './evidence.ts';

export const acknowledgedOnce: Checker = (evidence) => {
  const outcomes = groupBy(evidence.outcomes, ({ token }) => token);
  const wanted = new Map(evidence.intents.map((intent) => [intent.token, intent]));
  const moves = checkMoves(evidence, wanted, outcomes);
  return [...moves, ...checkReports(evidence, wanted, outcomes), ...differentResponses(outcomes)];
};

type Wanted = ReadonlyMap<string, Intent>;
type Outcomes = ReadonlyMap<string, readonly OutcomeLine[]>;

function checkMoves({ actions, entries }: Evidence, wanted: Wanted, outcomes: Outcomes): string[] {
  const made = groupBy(actions, ({ freetext }) => freetext);
  const recorded = groupBy(entries, ({ action_id }) => action_id);
  return [...wanted.values()].flatMap(({ token, move }) => {
    if (!move) return [];
    const rows = made.get(token) ?? [];
    const subject = `Move ${token} of experiment ${move.experiment} to ${move.to} (${summary(outcomes.get(token))})`;
    const [min, max] = expectedCount(outcomes.get(token));
    if (rows.length < min || rows.length > max) return [`${subject} was made ${rows.length} times.`];
    if (rows.length > 0 && outcomes.get(token)?.at(-1)?.outcome === 'rejected') {
      return [`${subject} was made, but its repeat did not get the stored response.`];
    }
    return rows.flatMap((row) => {
      if (row.experiment_id !== move.experiment || row.destination !== move.to)
        return [`${subject} was recorded as another move.`];
      const count = recorded.get(row.id)?.length ?? 0;
      return count === 1 ? [] : [`${subject} is in the history ${count} times.`];
    });
  });
}

function checkReports({ executions }: Evidence, wanted: Wanted, outcomes: Outcomes): string[] {
  const byId = new Map(executions.map((execution) => [execution.id, execution]));
  return [...wanted.values()].flatMap(({ token, report }) => {
    if (!report) return [];
    const count = byId.get(report.execution)?.token === token ? 1 : 0;
    const [min, max] = expectedCount(outcomes.get(token));
    const subject = `Report ${token} on execution ${report.execution} (${summary(outcomes.get(token))})`;
    if (count > max) return [`${subject} was recorded anyway.`];
    return count < min ? [`${subject} was not recorded.`] : [];
  });
}

/** The minimum and maximum. After a rejection, an earlier attempt without a response may still have succeeded. */
function expectedCount(outcomes: readonly OutcomeLine[] = []): [number, number] {
  if (outcomes.some(({ outcome }) => outcome === 'ok')) return [1, 1];
  const isRejected = outcomes.length > 0 && outcomes.every(({ outcome }) => outcome === 'rejected');
  return isRejected ? [0, 0] : [0, 1];
}

const summary = (outcomes: readonly OutcomeLine[] = []) =>
  outcomes.map(({ outcome, status }) => `${outcome} ${status}`).join(', ') || 'no outcome';

function differentResponses(outcomes: Outcomes): string[] {
  return [...outcomes].flatMap(([token, all]) => {
    const responses = new Set(all.filter(({ outcome }) => outcome === 'ok').map(({ digest }) => digest));
    return responses.size > 1 ? [`${token} got ${responses.size} different responses.`] : [];
  });
}
