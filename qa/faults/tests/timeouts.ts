/**
 * Eight callers of check_timeouts at once, beside the workers' own sweeps: every timeout is counted once, by the one who recorded
 * it in the history.
 */
import { createJournal } from '../drive/journal.ts';
import { moveRequest } from '../drive/mover.ts';
import { send } from '../drive/requests.ts';
import { ask } from '../place/ask.ts';
import { openPlace, type Place } from '../place/place.ts';
import { pulledQueue } from '../place/settings.ts';
import { createStudy } from '../place/study.ts';
import { createRandom } from '../random.ts';
import { until } from '../until.ts';
import type { Test } from './result.ts';

const rounds = { full: 100, smoke: 10, quick: 3 };
const callers = 8;
const each = 10;

export const timeouts: Test = async ({ size, seed, folder }) => {
  const place = await openPlace(folder);
  try {
    const experiments = await createStudy(place, each);
    const counts: Count[] = [];
    for (let round = 0; round < rounds[size]; round++) counts.push(await runRound(place, seed, experiments, round));
    const wrong = counts.filter(isWrong);
    const total = (of: 'byCallers' | 'byWorkers') => counts.reduce((sum, count) => sum + count[of], 0);
    return {
      verdict: wrong.length === 0 ? 'passed' : 'failed',
      lines: [
        `${counts.length} rounds of ${each} timeouts and ${callers} callers: ${total('byCallers')} recorded by callers, ` +
          `${total('byWorkers')} by workers, ${wrong.length} rounds with a wrong count`,
        ...wrong.slice(0, 5).map((count) => JSON.stringify(count)),
      ],
      figures: {
        rounds: counts.length,
        callers,
        each,
        wrong,
        by_callers: total('byCallers'),
        by_workers: total('byWorkers'),
      },
    };
  } finally {
    await place.stop();
  }
};

interface Count {
  /** In the history. */
  byCallers: number;
  byWorkers: number;
  /** What the callers were told, and how many of them were told nothing, as a busy machine answers 503. */
  told: number;
  untold: number;
  /** What the workers count more than they have recorded, up to now. */
  excess: number;
}

function isWrong({ byCallers, byWorkers, told, untold, excess }: Count): boolean {
  if (byCallers + byWorkers !== each || excess !== 0) return true;
  return untold === 0 ? told !== byCallers : told > byCallers;
}

async function runRound(place: Place, seed: number, experiments: readonly number[], round: number): Promise<Count> {
  await startRuns(place, seed, experiments, round);
  const before = await recorded(place);
  await ask(
    place.postgres,
    `update callback_executions set deadline = now() - interval '1 second' where deadline is not null`,
  );
  const urls = place.servers.map((server) => server.current().baseUrl);
  const answers = await Promise.all(
    Array.from({ length: callers }, (_, caller) =>
      send(urls[caller % urls.length] ?? '', { method: 'POST', path: '/service/check_timeouts', body: {} }),
    ),
  );
  const told = answers.filter(({ outcome }) => outcome === 'ok').map(({ body }) => body);
  // What a caller left undone is swept by the workers.
  await until('all executions are timed out', async () => !(await isOneRunning(place)), 250);
  const after = await recorded(place);
  // A worker counts when its whole sweep is over, a little after its rows are there.
  await until('the workers have counted', async () => (await countedByWorkers(place)) >= after.byWorkers, 100);
  return {
    byCallers: after.byCallers - before.byCallers,
    byWorkers: after.byWorkers - before.byWorkers,
    told: told.reduce((sum, { run_timeouts, wait_timeouts }) => sum + run_timeouts + wait_timeouts, 0),
    untold: callers - told.length,
    excess: (await countedByWorkers(place)) - after.byWorkers,
  };
}

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
  let taken = 0;
  await until('all executions are claimed', async () => {
    const answer = await send(url, { method: 'POST', path: '/worker/claims', body });
    taken += answer.outcome === 'ok' ? answer.body.claims.length : 0;
    return taken >= experiments.length;
  });
}

/** Who recorded how many timeouts, since the beginning. */
async function recorded({ postgres }: Place): Promise<Pick<Count, 'byCallers' | 'byWorkers'>> {
  const [counts] = await ask<Pick<Count, 'byCallers' | 'byWorkers'>>(
    postgres,
    `select count(*) filter (where actor_kind = 'user')::int as "byCallers",
       count(*) filter (where actor_kind = 'engine')::int as "byWorkers"
     from history where operation = 'checkTimeouts' and object_kind = 'callback_execution'`,
  );
  return counts ?? { byCallers: 0, byWorkers: 0 };
}

async function isOneRunning({ postgres }: Place): Promise<boolean> {
  return (await ask(postgres, 'select from callback_executions where finished is null')).length > 0;
}

async function countedByWorkers({ workers }: Place): Promise<number> {
  const counts = await Promise.all(workers.map((worker) => worker.current().metric('milepost_timeouts_total')));
  return counts.reduce((sum, count) => sum + count, 0);
}
