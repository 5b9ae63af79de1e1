/** Eight callers of check_timeouts at once, beside the workers' own sweeps: every timeout is counted once, by one of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createJournal } from '../drive/journal.ts';
import { moveRequest } from '../drive/mover.ts';
import { send } from '../drive/requests.ts';
import { ask, withOwner } from '../place/ask.ts';
import { openPlace, type Place } from '../place/place.ts';
import { pulledQueue } from '../place/settings.ts';
import { createStudy } from '../place/study.ts';
import { createRandom } from '../random.ts';
import type { Test } from './result.ts';

const rounds = { full: 100, smoke: 10, quick: 3 };
const callers = 8;
const each = 10;

export const timeouts: Test = async ({ size, seed, folder }) => {
  const place = await openPlace(folder);
  try {
    const experiments = await createStudy(place, each);
    const counts: { asked: number; swept: number; rows: number }[] = [];
    for (let round = 0; round < rounds[size]; round++) counts.push(await runRound(place, seed, experiments, round));
    const wrong = counts.filter(({ asked, swept, rows }) => asked + swept !== rows || rows !== each);
    const total = (of: 'asked' | 'swept') => counts.reduce((sum, count) => sum + count[of], 0);
    return {
      verdict: wrong.length === 0 ? 'passed' : 'failed',
      lines: [
        `${counts.length} rounds of ${each} timeouts and ${callers} callers: ${total('asked')} counted by callers, ` +
          `${total('swept')} by workers, ${wrong.length} rounds in which these are not all`,
        ...wrong.slice(0, 5).map((count) => JSON.stringify(count)),
      ],
      figures: { rounds: counts.length, callers, each, wrong, by_callers: total('asked'), by_workers: total('swept') },
    };
  } finally {
    await place.stop();
  }
};

async function runRound(place: Place, seed: number, experiments: readonly number[], round: number) {
  const urls = place.servers.map((server) => server.current().baseUrl);
  const before = await sweptByWorkers(place);
  await startRuns(place, seed, experiments, round);
  const known = await timedOut(place);
  await withOwner(place.postgres, (client) =>
    client.query(`update callback_executions set deadline = now() - interval '1 second' where deadline is not null`),
  );
  const answers = await Promise.all(
    Array.from({ length: callers }, (_, caller) =>
      send(urls[caller % urls.length] ?? '', { method: 'POST', path: checkTimeoutsPath, body: {} }),
    ),
  );
  const asked = answers.reduce((sum, { body }) => sum + body.run_timeouts + body.wait_timeouts, 0);
  const rows = (await timedOut(place)) - known;
  return { asked, swept: await sweptSince(place, before, rows - asked), rows };
}

const checkTimeoutsPath = '/service/check_timeouts';

/** Every experiment into a state whose execution is pulled, and nobody reports. */
async function startRuns(place: Place, seed: number, experiments: readonly number[], round: number): Promise<void> {
  const journal = createJournal(place, createRandom(seed, round));
  for (const experiment of experiments) {
    const wanted = { token: `c${round}-${experiment}`, move: { experiment, to: 'pulled' } };
    const { outcome } = await journal.insist(wanted, moveRequest(wanted, 'ready'));
    if (outcome !== 'ok') throw new Error(`${wanted.token} was not moved`);
  }
  const body = { queues: [pulledQueue], max: experiments.length };
  const url = place.servers[0]?.current().baseUrl ?? '';
  const { body: taken } = await send(url, { method: 'POST', path: '/worker/claims', body });
  if (taken.claims.length !== experiments.length) throw new Error(`${taken.claims.length} executions were taken`);
}

async function timedOut({ postgres }: Place): Promise<number> {
  const rows = await ask<{ count: number }>(
    postgres,
    `select count(*)::int from callback_executions where result = 'timeout'`,
  );
  return rows[0]?.count ?? 0;
}

async function sweptByWorkers({ workers }: Place): Promise<number> {
  const counts = await Promise.all(workers.map((worker) => worker.current().metric('milepost_timeouts_total')));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A worker counts when its whole sweep is over, which is a little after its rows are there. */
async function sweptSince(place: Place, before: number, expected: number): Promise<number> {
  for (let looks = 0; looks < 50; looks++) {
    const swept = (await sweptByWorkers(place)) - before;
    if (swept >= expected) return swept;
    await sleep(100);
  }
  return (await sweptByWorkers(place)) - before;
}
