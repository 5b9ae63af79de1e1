/**
 * A hundred readers while experiments are moved: each has every event, in order; those that go away and come back again and
 * again miss none and get none twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { basic, createClient, type Client } from '@milepost/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, withClient, type TestDatabase } from '../../testing/postgres.ts';
import { startServerProcess, type ServerProcess } from '../../testing/server-process.ts';

const password = 'correct horse battery staple';
const readers = 100;
/** Of them, so many leave after some messages and come back. */
const restless = 10;
const movers = 10;

let database: TestDatabase;
let server: ServerProcess;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startServerProcess({ DATABASE_URL: database.databaseUrl, MILEPOST_ADMIN_PASSWORD: password });
  client = createClient({ baseUrl: server.baseUrl, authorization: basic('admin', password) });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const workflow = `label: ring
initial: a
states:
  - {label: a, transitions: [{destination: b}]}
  - {label: b, transitions: [{destination: a}]}
`;

async function createExperiments(): Promise<number[]> {
  await client.importWorkflow({ body: { workflow_definition: workflow } });
  await client.createCohort({ body: { label: 'c' } });
  const { id: subject_id } = await client.createSubject({ body: { label: 's', cohort_label: 'c' } });
  const ids: number[] = [];
  for (let n = 0; n < movers; n++) {
    ids.push((await client.createExperiment({ body: { label: `e${n}`, subject_id } })).id);
  }
  return ids;
}

interface Reader {
  ids: number[];
  /** When each came. */
  at: number[];
  connections: number;
  done: Promise<void>;
}

/** Reads until it is stopped; a restless one leaves after `patience` messages each time. */
function startReader(ready: () => void, stop: AbortSignal, patience = Infinity): Reader {
  const reader: Reader = { ids: [], at: [], connections: 0, done: Promise.resolve() };
  const read = async () => {
    let lastEventId: string | undefined;
    while (!stop.aborted) {
      reader.connections++;
      const stream = await client.listEvents({ signal: stop, ...(lastEventId !== undefined && { lastEventId }) });
      let taken = 0;
      for await (const { event, id, data } of stream) {
        lastEventId = id;
        if (event === 'ready') ready();
        // A stream begins where nothing is unsettled any more, so it may begin with what was created just before.
        else if (data.kind === 'setExperimentState') {
          reader.ids.push(data.id);
          reader.at.push(performance.now());
          if (++taken >= patience) break;
        }
      }
    }
  };
  reader.done = read().catch((error: unknown) => {
    if (!stop.aborted) throw error;
  });
  return reader;
}

interface Moves {
  /** Of each experiment. */
  turns: number;
  /** Between the beginnings of two turns of an experiment; without it they follow at once. */
  everyMs?: number;
}

/** Returns when each move was answered. */
async function move(ids: readonly number[], { turns, everyMs = 0 }: Moves): Promise<number[]> {
  const answered: number[] = [];
  const start = performance.now();
  const mover = async (id: number) => {
    for (let turn = 0; turn < turns; turn++) {
      await sleep(Math.max(0, start + turn * everyMs - performance.now()));
      await client.setExperimentState({ params: { id }, body: { state_label: turn % 2 === 0 ? 'b' : 'a' } });
      answered.push(performance.now());
    }
  };
  await Promise.all(ids.map(mover));
  return answered;
}

const quantile = (values: readonly number[], part: number) =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * part)] ?? 0;

/** Moves while everybody reads, until each reader has had as many events as there are. */
async function moveWhileRead(moves: Moves) {
  const experiments = await createExperiments();
  const stop = new AbortController();
  const waiting = Array.from({ length: readers }, () => Promise.withResolvers<void>());
  const following = waiting.map(({ resolve }, index) =>
    startReader(resolve, stop.signal, index < restless ? 20 + index * 5 : Infinity),
  );
  await Promise.all(waiting.map(({ promise }) => promise));
  const answered = await move(experiments, moves);
  const expected = await withClient(database.ownerUrl, async (owner) => {
    const { rows } = await owner.query<{ id: number }>(
      `select id::int from events where kind = 'setExperimentState' order by xid, id`,
    );
    return rows.map(({ id }) => id);
  });
  await expect.poll(() => following.filter(({ ids }) => ids.length < expected.length).length).toBe(0);
  stop.abort();
  await Promise.all(following.map(({ done }) => done));
  return { answered, expected, following };
}

it('each of a hundred readers has every event, in order and once', async () => {
  const { answered, expected, following } = await moveWhileRead({ turns: 40 });
  expect(expected).toHaveLength(answered.length);
  for (const { ids } of following) expect(ids).toEqual(expected);
  for (const { connections } of following.slice(0, restless)) expect(connections).toBeGreaterThan(1);
});

it('half of all events reach their readers within a second at 200 moves a second', { tags: ['nightly'] }, async () => {
  const { answered, following } = await moveWhileRead({ turns: 200, everyMs: 50 });
  // Both in the order in which they came: the n-th answer is at most the n-th event's own.
  const quiet = following.at(-1)?.at ?? [];
  const delays = answered.toSorted((one, other) => one - other).map((time, index) => (quiet[index] ?? Infinity) - time);
  process.stdout.write(
    `from answer to reader ${quantile(delays, 0.5).toFixed(0)} ms (median), ${quantile(delays, 0.95).toFixed(0)} ms (95 %), ` +
      `${quantile(delays, 1).toFixed(0)} ms (longest)\n`,
  );
  expect(quantile(delays, 0.5)).toBeLessThan(1000);
});
