/**
 * One hundred clients read events while experiments move. Each receives every event in order. Clients that reconnect repeatedly
 * miss no event and receive none twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { basic, createClient, type Client } from '@milepost/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, withClient, type TestDatabase } from '../../../testing/test-database.ts';
import { startServerProcess, type ServerProcess } from '../../../testing/processes/server-process.ts';

const password = 'correct horse battery staple';
const readers = 100;
/** The number of readers that disconnect after some messages and reconnect. */
const reconnecting = 10;
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
  receivedAt: number[];
  connections: number;
  done: Promise<void>;
}

/** Reads until stopped, and reconnects after every `reconnectAfter` messages. */
function startReader(ready: () => void, stop: AbortSignal, reconnectAfter = Infinity): Reader {
  const reader: Reader = { ids: [], receivedAt: [], connections: 0, done: Promise.resolve() };
  const read = async () => {
    let lastEventId: string | undefined;
    while (!stop.aborted) {
      reader.connections++;
      const stream = await client.listEvents({ signal: stop, ...(lastEventId !== undefined && { lastEventId }) });
      let taken = 0;
      for await (const { event, id, data } of stream) {
        lastEventId = id;
        if (event === 'ready') ready();
        // A stream starts before all open transactions, so its first events can be those of the setup.
        else if (data.kind === 'setExperimentState') {
          reader.ids.push(data.id);
          reader.receivedAt.push(performance.now());
          if (++taken >= reconnectAfter) break;
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
  perExperiment: number;
  /** The time between the starts of two moves of an experiment. Without it, moves follow each other immediately. */
  everyMs?: number;
}

/** Returns the time of each response. */
async function move(ids: readonly number[], { perExperiment, everyMs = 0 }: Moves): Promise<number[]> {
  const respondedAt: number[] = [];
  const start = performance.now();
  const mover = async (id: number) => {
    for (let n = 0; n < perExperiment; n++) {
      await sleep(Math.max(0, start + n * everyMs - performance.now()));
      await client.setExperimentState({ params: { id }, body: { state_label: n % 2 === 0 ? 'b' : 'a' } });
      respondedAt.push(performance.now());
    }
  };
  await Promise.all(ids.map(mover));
  return respondedAt;
}

const quantile = (values: readonly number[], part: number) =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * part)] ?? 0;

/** Moves experiments and waits until every reader has received every event. */
async function moveWhileReading(moves: Moves) {
  const experiments = await createExperiments();
  const stop = new AbortController();
  const waiting = Array.from({ length: readers }, () => Promise.withResolvers<void>());
  const following = waiting.map(({ resolve }, index) =>
    startReader(resolve, stop.signal, index < reconnecting ? 20 + index * 5 : Infinity),
  );
  await Promise.all(waiting.map(({ promise }) => promise));
  const respondedAt = await move(experiments, moves);
  const expected = await withClient(database.ownerUrl, async (owner) => {
    const { rows } = await owner.query<{ id: number }>(
      `select id::int from events where kind = 'setExperimentState' order by xid, id`,
    );
    return rows.map(({ id }) => id);
  });
  await expect.poll(() => following.filter(({ ids }) => ids.length < expected.length).length).toBe(0);
  stop.abort();
  await Promise.all(following.map(({ done }) => done));
  return { respondedAt, expected, following };
}

it('sends every event once and in order to each of 100 readers', async () => {
  const { respondedAt, expected, following } = await moveWhileReading({ perExperiment: 40 });
  expect(expected).toHaveLength(respondedAt.length);
  for (const { ids } of following) expect(ids).toEqual(expected);
  for (const { connections } of following.slice(0, reconnecting)) expect(connections).toBeGreaterThan(1);
});

it('delivers half of all events within a second at 200 moves per second', { tags: ['nightly'] }, async () => {
  const { respondedAt, following } = await moveWhileReading({ perExperiment: 200, everyMs: 50 });
  // Both lists are sorted by time, so the n-th response belongs approximately to the n-th event.
  const received = following.at(-1)?.receivedAt ?? [];
  const delays = respondedAt
    .toSorted((one, other) => one - other)
    .map((time, index) => (received[index] ?? Infinity) - time);
  process.stdout.write(
    `from response to reader: ${quantile(delays, 0.5).toFixed(0)} ms (median), ${quantile(delays, 0.95).toFixed(0)} ms (95 %), ` +
      `${quantile(delays, 1).toFixed(0)} ms (maximum)\n`,
  );
  expect(quantile(delays, 0.5)).toBeLessThan(1000);
});
