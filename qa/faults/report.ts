/** The report of a storm: the results of the checkers, the rare cases, and what is missing. */
import { checkersFor } from './check/checkers.ts';
import type { Checker, Evidence } from './check/evidence.ts';
import { responseTimes } from './check/response-times.ts';
import { countRareCases, type RareCase } from './check/rare-cases.ts';
import type { StormResult, StormPlan } from './storm.ts';
import type { Outcome } from './tests/result.ts';

type Checks = Record<string, { found: number; first: string[] }>;

const maxShown = 5;

export const checksOf = (all: Record<string, Checker>, evidence: Evidence): Checks =>
  Object.fromEntries(
    Object.entries(all).map(([what, check]) => {
      const found = check(evidence);
      return [what, { found: found.length, first: found.slice(0, maxShown) }];
    }),
  );

export const linesOfChecks = (checks: Checks): string[] =>
  Object.entries(checks).flatMap(([what, { found, first }]) => [
    found === 0 ? `passed: ${what}` : `FAILED ${found} times: ${what}`,
    ...first.map((sentence) => `    ${sentence}`),
  ]);

export function reportOf(plan: StormPlan, result: StormResult): Outcome {
  const { evidence, observed, ...times } = result;
  const checks = checksOf(checkersFor(plan), evidence);
  const rareCases = countRareCases(evidence, observed);
  const [moves, rows] = [movesOf(evidence), rowsOf(evidence)];
  const longest = responseTimes(evidence).reduce((most, { ms }) => Math.max(most, ms), 0);
  const missing = missingFrom(plan, rareCases, moves.acknowledged);
  const isFailed = Object.values(checks).some(({ found }) => found > 0);
  return {
    verdict: isFailed || missing.length > 0 ? 'failed' : 'passed',
    lines: [
      timesOf(times),
      `moves: ${textOf(moves)}`,
      `rows: ${textOf(rows)}`,
      ...(longest > 0 ? [`longest response time: ${longest} ms`] : []),
      ...linesOfChecks(checks),
      ...evidence.history.messages,
      ...Object.entries(rareCases)
        .filter(([, count]) => count > 0)
        .map(([what, count]) => `${String(count).padStart(6)} × ${what}`),
      ...missing.map((what) => `MISSING: ${what}`),
    ],
    figures: {
      plan,
      times,
      longest_response_ms: longest,
      moves,
      rows,
      checks,
      history: evidence.history,
      rareCases,
      missing,
    },
  };
}

const timesOf = ({
  faultSeconds,
  movesUnderFaults,
  afterwardsSeconds,
  calmSeconds,
}: Omit<StormResult, 'evidence' | 'observed'>) =>
  `${Math.round(faultSeconds)} s with faults (${movesUnderFaults} acknowledged moves), ${Math.round(afterwardsSeconds)} s of moves ` +
  `after them, ${Math.round(calmSeconds)} s until all work had finished`;

/** A run proves nothing about a case that did not occur, so it fails if a required case is missing. */
function missingFrom(plan: StormPlan, rareCases: Record<RareCase, number>, acknowledged: number): string[] {
  const kills = rareCases['server killed'] + rareCases['worker killed'];
  return [
    ...plan.requiredCases.filter((rareCase) => rareCases[rareCase] === 0),
    ...atLeast('acknowledged moves', acknowledged, plan.moves),
    ...atLeast('kills', kills, plan.kills),
    ...atLeast('unknown outcomes', rareCases['outcome unknown'], plan.unknowns ?? 0),
    ...atLeast('closed connections', rareCases['connection closed by the database'], plan.closedConnections),
    ...atLeast('shutdowns', rareCases['server shut down'] + rareCases['worker shut down'], plan.shutdowns),
    ...atLeast('outages', rareCases['database outage'], plan.outages),
    ...atLeast('kills of the database', rareCases['database killed'], plan.databaseKills),
  ];
}

const atLeast = (what: string, count: number, wanted: number) =>
  count < wanted ? [`${wanted} ${what} (only ${count})`] : [];

/** The number of moves by outcome, over all attempts. */
function movesOf({ intents, outcomes }: Evidence) {
  const moves = new Set(intents.filter(({ move }) => move !== undefined).map(({ token }) => token));
  const tokensWith = (outcome: string) =>
    new Set(outcomes.filter((one) => one.outcome === outcome && moves.has(one.token)).map(({ token }) => token));
  const [ok, rejected, unknown] = [tokensWith('ok'), tokensWith('rejected'), tokensWith('unknown')];
  return {
    acknowledged: ok.size,
    rejected: [...rejected].filter((token) => !ok.has(token)).length,
    unknown: [...moves].filter((token) => !ok.has(token) && !rejected.has(token)).length,
    with_unknown_attempt: unknown.size,
  };
}

const rowsOf = ({ actions, executions, attempts, runs }: Evidence) => ({
  actions: actions.length,
  executions: executions.length,
  attempts: attempts.length,
  callbacks_received: runs.length,
});

const textOf = (counts: object) =>
  Object.entries(counts)
    .map(([name, count]) => `${name.replaceAll('_', ' ')} ${count}`)
    .join(', ');
