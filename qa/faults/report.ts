/** What a storm says of itself: what the checkers found, what was met and what was missed. */
import { checkersFor } from './check/checkers.ts';
import type { Checker, Evidence } from './check/evidence.ts';
import { answerTimes } from './check/prompt-answers.ts';
import { countRareCases, type RareCase } from './check/rare-cases.ts';
import type { Stormed, StormPlan } from './storm.ts';
import type { Outcome } from './tests/result.ts';

type Checks = Record<string, { found: number; first: string[] }>;

const mostShown = 5;

export const checksOf = (all: Record<string, Checker>, evidence: Evidence): Checks =>
  Object.fromEntries(
    Object.entries(all).map(([what, check]) => {
      const found = check(evidence);
      return [what, { found: found.length, first: found.slice(0, mostShown) }];
    }),
  );

export const linesOfChecks = (checks: Checks): string[] =>
  Object.entries(checks).flatMap(([what, { found, first }]) => [
    found === 0 ? `holds: ${what}` : `BROKEN ${found} times: ${what}`,
    ...first.map((sentence) => `    ${sentence}`),
  ]);

export function reportOf(plan: StormPlan, stormed: Stormed): Outcome {
  const { evidence, observed, ...times } = stormed;
  const checks = checksOf(checkersFor(plan), evidence);
  const rareCases = countRareCases(evidence, observed);
  const [moves, rows] = [movesOf(evidence), rowsOf(evidence)];
  const longest = answerTimes(evidence).reduce((most, { ms }) => Math.max(most, ms), 0);
  const missed = missedOf(plan, rareCases, moves.acknowledged);
  const isFailed = Object.values(checks).some(({ found }) => found > 0);
  return {
    verdict: isFailed || missed.length > 0 ? 'failed' : 'passed',
    lines: [
      timesOf(times),
      `moves: ${words(moves)}`,
      `rows: ${words(rows)}`,
      ...(longest > 0 ? [`the longest answer took ${longest} ms`] : []),
      ...linesOfChecks(checks),
      ...evidence.history.says,
      ...Object.entries(rareCases)
        .filter(([, count]) => count > 0)
        .map(([what, count]) => `${String(count).padStart(6)} times ${what}`),
      ...missed.map((what) => `MISSED ${what}`),
    ],
    figures: {
      plan,
      times,
      longest_answer_ms: longest,
      moves,
      rows,
      checks,
      history: evidence.history,
      rareCases,
      missed,
    },
  };
}

const timesOf = ({
  faultSeconds,
  movesUnderFaults,
  afterwardsSeconds,
  calmSeconds,
}: Omit<Stormed, 'evidence' | 'observed'>) =>
  `${Math.round(faultSeconds)} s of faults with ${movesUnderFaults} acknowledged moves, ${Math.round(afterwardsSeconds)} s of moves ` +
  `after them, ${Math.round(calmSeconds)} s until everything had ended`;

/** A run that did not meet what it was made for says nothing about it, and fails. */
function missedOf(plan: StormPlan, rareCases: Record<RareCase, number>, acknowledged: number): string[] {
  const kills = rareCases['a server is killed'] + rareCases['a worker is killed'];
  return [
    ...plan.mustMeet.filter((rareCase) => rareCases[rareCase] === 0),
    ...atLeast('acknowledged moves', acknowledged, plan.moves),
    ...atLeast('kills', kills, plan.kills),
    ...atLeast('unknown outcomes', rareCases['an outcome is unknown'], plan.unknowns ?? 0),
    ...atLeast('ended connections', rareCases['a connection is ended by the database'], plan.endedConnections),
    ...atLeast('ends', rareCases['a server is asked to end'] + rareCases['a worker is asked to end'], plan.ends),
    ...atLeast('kills of the database', rareCases['the database is killed'], plan.databaseKills),
  ];
}

const atLeast = (what: string, count: number, wanted: number) =>
  count < wanted ? [`${wanted} ${what}: there were ${count}`] : [];

/** Moves by what came of them, whichever try it was. */
function movesOf({ intents, outcomes }: Evidence) {
  const moves = new Set(intents.filter(({ move }) => move !== undefined).map(({ token }) => token));
  const tokensWith = (outcome: string) =>
    new Set(outcomes.filter((one) => one.outcome === outcome && moves.has(one.token)).map(({ token }) => token));
  const [ok, refused, unknown] = [tokensWith('ok'), tokensWith('refused'), tokensWith('unknown')];
  return {
    acknowledged: ok.size,
    refused: [...refused].filter((token) => !ok.has(token)).length,
    never_known: [...moves].filter((token) => !ok.has(token) && !refused.has(token)).length,
    with_an_unknown_try: unknown.size,
  };
}

const rowsOf = ({ actions, executions, attempts, runs }: Evidence) => ({
  actions: actions.length,
  executions: executions.length,
  attempts: attempts.length,
  callbacks_received: runs.length,
});

const words = (counts: object) =>
  Object.entries(counts)
    .map(([name, count]) => `${name.replaceAll('_', ' ')} ${count}`)
    .join(', ');
