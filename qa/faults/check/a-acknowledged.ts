/**
 * (a) Each acknowledged change is in the history exactly once, as it was asked for; one that was refused is not there; one
 * whose outcome is unknown is there once or not at all. Repeats of one change get the same answer.
 */
import type { Answered, Intent } from '../drive/lines.ts';
import { groupBy, type Checker, type Evidence } from './evidence.ts';

export const acknowledgedOnce: Checker = (evidence) => {
  const outcomes = groupBy(evidence.outcomes, ({ token }) => token);
  const wanted = new Map(evidence.intents.map((intent) => [intent.token, intent]));
  const moves = checkMoves(evidence, wanted, outcomes);
  return [...moves, ...checkReports(evidence, wanted, outcomes), ...differentAnswers(outcomes)];
};

type Wanted = ReadonlyMap<string, Intent>;
type Outcomes = ReadonlyMap<string, readonly Answered[]>;

function checkMoves({ actions, entries }: Evidence, wanted: Wanted, outcomes: Outcomes): string[] {
  const made = groupBy(actions, ({ freetext }) => freetext);
  const recorded = groupBy(entries, ({ action_id }) => action_id);
  return [...wanted.values()].flatMap(({ token, move }) => {
    if (!move) return [];
    const rows = made.get(token) ?? [];
    const said = `The move ${token} of experiment ${move.experiment} to ${move.to} (${summary(outcomes.get(token))})`;
    const [least, most] = expectedCount(outcomes.get(token));
    if (rows.length < least || rows.length > most) return [`${said} was made ${rows.length} times.`];
    if (rows.length > 0 && outcomes.get(token)?.at(-1)?.outcome === 'refused') {
      return [`${said} had been made, and its repeat did not get the answer that was kept.`];
    }
    return rows.flatMap((row) => {
      if (row.experiment_id !== move.experiment || row.destination !== move.to) return [`${said} became another move.`];
      const count = recorded.get(row.id)?.length ?? 0;
      return count === 1 ? [] : [`${said} is in the history ${count} times.`];
    });
  });
}

function checkReports({ executions }: Evidence, wanted: Wanted, outcomes: Outcomes): string[] {
  const byId = new Map(executions.map((execution) => [execution.id, execution]));
  return [...wanted.values()].flatMap(({ token, report }) => {
    if (!report) return [];
    const counts = byId.get(report.execution)?.token === token ? 1 : 0;
    const [least, most] = expectedCount(outcomes.get(token));
    const said = `The report ${token} on execution ${report.execution} (${summary(outcomes.get(token))})`;
    if (counts > most) return [`${said} decided it all the same.`];
    return counts < least ? [`${said} is not what the execution says.`] : [];
  });
}

/** At least and at most. A refusal says nothing of an earlier try without an answer, which may still have gone through. */
function expectedCount(outcomes: readonly Answered[] = []): [number, number] {
  if (outcomes.some(({ outcome }) => outcome === 'ok')) return [1, 1];
  const isRefused = outcomes.length > 0 && outcomes.every(({ outcome }) => outcome === 'refused');
  return isRefused ? [0, 0] : [0, 1];
}

const summary = (outcomes: readonly Answered[] = []) =>
  outcomes.map(({ outcome, status }) => `${outcome} ${status}`).join(', ') || 'without an outcome';

function differentAnswers(outcomes: Outcomes): string[] {
  return [...outcomes].flatMap(([token, all]) => {
    const answers = new Set(all.filter(({ outcome }) => outcome === 'ok').map(({ digest }) => digest));
    return answers.size > 1 ? [`${token} was answered in ${answers.size} different ways.`] : [];
  });
}
