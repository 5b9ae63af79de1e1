/**
 * Eight callers use check_timeouts at once, while the workers sweep too. Every timeout is counted once, by the process that
 * recorded it in the history.
 */
import { createJournal } from '../drive/journal.ts';
import { moveRequest } from '../drive/mover.ts';
import { send } from '../drive/requests.ts';
import { query } from '../testbed/query.ts';
import { startTestbed, type Testbed } from '../testbed/testbed.ts';
import { pulledQueue } from '../testbed/settings.ts';
import { createStudy } from '../testbed/study.ts';
import { createRandom } from '../random.ts';
import { until } from '../until.ts';
import type { Test } from './result.ts';

const rounds = { full: 100, smoke: 10, quick: 3 };
const callers = 8;
const each = 10;

export const timeouts: Test = async ({ size, seed, folder }) => {
  const testbed = await startTestbed(folder);
  try {
    const experiments = await createStudy(testbed, each);
    const counts: Count[] = [];
    for (let round = 0; round < rounds[size]; round++) counts.push(await runRound(testbed, seed, experiments, round));
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
    await testbed.stop();
  }
};

interface Count {
  /** Recorded in the history. */
  byCallers: number;
  byWorkers: number;
  /** The sum of the counts in the responses. */
  returned: number;
  /** Callers without a count, because a busy machine returned 503. */
  failedCallers: number;
  /** The difference between the metric of the workers and their recorded timeouts, since the start. */
  excess: number;
}

function isWrong({ byCallers, byWorkers, returned, failedCallers, excess }: Count): boolean {
  if (byCallers + byWorkers !== each || excess !== 0) return true;
  return failedCallers === 0 ? returned !== byCallers : returned > byCallers;
}

async function runRound(testbed: Testbed, seed: number, experiments: readonly number[], round: number): Promise<Count> {
  await startRuns(testbed, seed, experiments, round);
  const before = await recorded(testbed);
  await query(
    testbed.postgres,
    `update callback_executions set deadline = now() - interval '1 second' where deadline is not null`,
  );
  const urls = testbed.servers.map((server) => server.current().baseUrl);
  const results = await Promise.all(
    Array.from({ length: callers }, (_, caller) =>
      send(urls[caller % urls.length] ?? '', { method: 'POST', path: '/service/check_timeouts', body: {} }),
    ),
  );
  const bodies = results.filter(({ outcome }) => outcome === 'ok').map(({ body }) => body);
  // The workers record the timeouts of callers that failed.
  await until('all executions have timed out', async () => !(await isOneRunning(testbed)), 250);
  const after = await recorded(testbed);
  // A worker updates its metric at the end of a sweep, shortly after it has written the rows.
  await until(
    'the workers have updated their metrics',
    async () => (await countedByWorkers(testbed)) >= after.byWorkers,
    100,
  );
  return {
    byCallers: after.byCallers - before.byCallers,
    byWorkers: after.byWorkers - before.byWorkers,
    returned: bodies.reduce((sum, { run_timeouts, wait_timeouts }) => sum + run_timeouts + wait_timeouts, 0),
    failedCallers: callers - bodies.length,
    excess: (await countedByWorkers(testbed)) - after.byWorkers,
  };
}

/** Moves all experiments to `pulled` and claims their executions, without reporting on them. */
async function startRuns(testbed: Testbed, seed: number, experiments: readonly number[], round: number): Promise<void> {
  const journal = createJournal(testbed, createRandom(seed, round));
  for (const experiment of experiments) {
    const wanted = { token: `c${round}-${experiment}`, move: { experiment, to: 'pulled' } };
    const { outcome } = await journal.retry(wanted, moveRequest(wanted, 'ready'));
    if (outcome !== 'ok') throw new Error(`Move ${wanted.token} failed.`);
  }
  const body = { queues: [pulledQueue], max: experiments.length };
  const url = testbed.servers[0]?.current().baseUrl ?? '';
  let claimed = 0;
  await until('all executions are claimed', async () => {
    const result = await send(url, { method: 'POST', path: '/worker/claims', body });
    claimed += result.outcome === 'ok' ? result.body.claims.length : 0;
    return claimed >= experiments.length;
  });
}

/** The recorded timeouts by actor, since the start. */
async function recorded({ postgres }: Testbed): Promise<Pick<Count, 'byCallers' | 'byWorkers'>> {
  const [counts] = await query<Pick<Count, 'byCallers' | 'byWorkers'>>(
    postgres,
    `select count(*) filter (where actor_kind = 'user')::int as "byCallers",
       count(*) filter (where actor_kind = 'engine')::int as "byWorkers"
     from history where operation = 'checkTimeouts' and object_kind = 'callback_execution'`,
  );
  return counts ?? { byCallers: 0, byWorkers: 0 };
}

async function isOneRunning({ postgres }: Testbed): Promise<boolean> {
  return (await query(postgres, 'select from callback_executions where finished is null')).length > 0;
}

async function countedByWorkers({ workers }: Testbed): Promise<number> {
  const counts = await Promise.all(workers.map((worker) => worker.current().metric('milepost_timeouts_total')));
  return counts.reduce((sum, count) => sum + count, 0);
}
