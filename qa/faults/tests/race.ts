/** Many clients of two servers move one experiment at the same time. One wins each round, and the sequence has no gap. */
import { checkersFor } from '../check/checkers.ts';
import { collectEvidence } from '../collect.ts';
import { createJournal } from '../drive/journal.ts';
import { moveRequest } from '../drive/mover.ts';
import { startTestbed, type Testbed } from '../testbed/testbed.ts';
import { createStudy } from '../testbed/study.ts';
import { createRandom } from '../random.ts';
import { checksOf, linesOfChecks } from '../report.ts';
import type { Test } from './result.ts';

const rounds = { full: 2000, smoke: 100, quick: 10 };
const clients = 50;

export const race: Test = async ({ size, seed, folder }) => {
  const testbed = await startTestbed(folder);
  try {
    const winners = await runRounds(testbed, seed, rounds[size]);
    const wrong = winners.filter((count) => count !== 1);
    const checks = checksOf(checkersFor({ checkDurations: size !== 'smoke' }), await collectEvidence(testbed));
    const isPassed = wrong.length === 0 && Object.values(checks).every(({ found }) => found === 0);
    return {
      verdict: isPassed ? 'passed' : 'failed',
      lines: [
        `${winners.length} rounds of ${clients} clients, ${wrong.length} without exactly one winner`,
        ...linesOfChecks(checks),
      ],
      figures: { rounds: winners.length, clients, rounds_without_one_winner: wrong.length, checks },
    };
  } finally {
    await testbed.stop();
  }
};

/** Returns the number of winners of each round. */
async function runRounds(testbed: Testbed, seed: number, count: number): Promise<number[]> {
  const [experiment = 0] = await createStudy(testbed, 1);
  const journal = createJournal(testbed, createRandom(seed));
  const winners: number[] = [];
  for (let round = 0; round < count; round++) {
    const [from, to] = round % 2 === 0 ? (['ready', 'back'] as const) : (['back', 'ready'] as const);
    const results = await Promise.all(
      Array.from({ length: clients }, (_, client) => {
        const wanted = { token: `r${round}-${client}`, move: { experiment, to } };
        // A client that waited too long for the others got 503 and repeats its request.
        return journal.retry(wanted, moveRequest(wanted, from));
      }),
    );
    winners.push(results.filter(({ outcome }) => outcome === 'ok').length);
  }
  return winners;
}
