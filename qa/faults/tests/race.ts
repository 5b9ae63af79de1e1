/** Many clients at two servers move one experiment at the same moment: one wins each round, and the line has no gap. */
import { checkersFor } from '../check/checkers.ts';
import { collectEvidence } from '../collect.ts';
import { createJournal } from '../drive/journal.ts';
import { moveRequest } from '../drive/mover.ts';
import { openPlace, type Place } from '../place/place.ts';
import { createStudy } from '../place/study.ts';
import { createRandom } from '../random.ts';
import { checksOf, linesOfChecks } from '../report.ts';
import type { Test } from './result.ts';

const rounds = { full: 2000, smoke: 100, quick: 10 };
const clients = 50;

export const race: Test = async ({ size, seed, folder }) => {
  const place = await openPlace(folder);
  try {
    const winners = await runRounds(place, seed, rounds[size]);
    const odd = winners.filter((count) => count !== 1);
    const checks = checksOf(checkersFor({ inSeconds: size !== 'smoke' }), await collectEvidence(place));
    const isGood = odd.length === 0 && Object.values(checks).every(({ found }) => found === 0);
    return {
      verdict: isGood ? 'passed' : 'failed',
      lines: [
        `${winners.length} rounds of ${clients} clients, ${odd.length} without exactly one winner`,
        ...linesOfChecks(checks),
      ],
      figures: { rounds: winners.length, clients, rounds_without_one_winner: odd.length, checks },
    };
  } finally {
    await place.stop();
  }
};

/** Answers how many won each round. */
async function runRounds(place: Place, seed: number, count: number): Promise<number[]> {
  const [experiment = 0] = await createStudy(place, 1);
  const journal = createJournal(place, createRandom(seed));
  const winners: number[] = [];
  for (let round = 0; round < count; round++) {
    const [from, to] = round % 2 === 0 ? (['ready', 'back'] as const) : (['back', 'ready'] as const);
    const answers = await Promise.all(
      Array.from({ length: clients }, (_, client) => {
        const wanted = { token: `r${round}-${client}`, move: { experiment, to } };
        // Whoever waited too long for the others was not refused yet, and asks again.
        return journal.insist(wanted, moveRequest(wanted, from));
      }),
    );
    winners.push(answers.filter(({ outcome }) => outcome === 'ok').length);
  }
  return winners;
}
