/**
 * The event stream: complete, in order, resumable, and limited to the events that its reader can see.
 *
 * @module-tag sql
 */
import { connect } from 'node:net';
import { basic, createClient } from '@milepost/api';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { followEvents, kindsOf, eventsIn, type FollowOptions } from '../../../testing/follow-events.ts';
import { startTestServer, testPassword, type TestServer } from '../../../testing/server.ts';
import { readEvents, readRetainedEvents } from '../../store/record/read-events.ts';
import { removeOutdated } from '../../store/record/retention.ts';
import type { EventStream } from '../../http/server-sent-events.ts';
import { eventHandlers } from './events.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

const follow = (options?: FollowOptions) => followEvents(server, options);

/** Causes an event that every user can see. */
const createCohort = () => server.call('createCohort', { body: { label: world.fresh('cohort') } });

describe('the event stream', () => {
  it('sends each change with the data that a page needs', async () => {
    const experiment = await world.experiment();
    const reading = await follow({ query: { experiment_id: experiment.id } });
    await world.move(experiment, 'checked');
    const [execution] = await server.sql<{ id: number }>(
      'select one.id::int from callback_executions one join actions on actions.id = action_id where experiment_id = $1',
      [experiment.id],
    );
    const body = { status: 'finished', result: 'success' };
    await server.call('updateCallbackExecution', { params: { id: execution?.id ?? 0 }, body });
    await expect.poll(() => kindsOf(reading)).toEqual(['setExperimentState', 'updateCallbackExecution', 'endAction']);
    const [move, report] = eventsIn(reading);
    const about = { experiment_id: experiment.id, workflow_id: experiment.workflow.id };
    const { arrived, checked } = experiment.workflow.states;
    expect(move).toMatchObject({
      ...about,
      object_kind: 'experiment',
      object_id: experiment.id,
      cohort_id: expect.any(Number),
      data: { state: 'checked', state_id: checked, from_state_id: arrived, action_id: expect.any(Number) },
    });
    expect(report).toMatchObject({ ...about, object_kind: 'callback_execution', object_id: execution?.id });
    await reading.stop();
  });

  it('starts with its position and disables caching and proxy buffering', async () => {
    const headers = { authorization: basic('admin', testPassword) };
    const controller = new AbortController();
    const response = await fetch(`${server.baseUrl}/events`, { headers, signal: controller.signal });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toMatch(/^event: ready\nid: \d+-\d+\ndata: \{\}\n\n$/);
    controller.abort();
    const head = await fetch(`${server.baseUrl}/events`, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it('contains only events that match the filters', async () => {
    const [one, other] = [await world.experiment(), await world.experiment()];
    const [row] = await server.sql<{ cohort_id: number }>('select cohort_id::int from experiments where id = $1', [
      one.id,
    ]);
    const readings = await Promise.all([
      follow({ query: { kind: 'setExperimentState', workflow_id: one.workflow.id } }),
      follow({ query: { cohort_id: row?.cohort_id ?? 0 } }),
      follow({ query: { object_kind: 'cohort' } }),
    ]);
    await world.move(other, 'checked');
    await world.move(one, 'checked');
    await createCohort();
    await expect
      .poll(() => readings.map(kindsOf))
      .toEqual([['setExperimentState'], ['setExperimentState'], ['createCohort']]);
    expect(
      readings
        .flatMap(eventsIn)
        .map(({ object_id }) => object_id)
        .slice(0, 2),
    ).toEqual([one.id, one.id]);
    await Promise.all(readings.map(({ stop }) => stop()));
  });

  it('resumes after the last message that was read', async () => {
    const first = await follow();
    await createCohort();
    await expect.poll(() => kindsOf(first)).toHaveLength(1);
    await first.stop();
    const missed = [(await createCohort()).body.id, (await createCohort()).body.id];
    const second = await follow({ lastEventId: first.messages.at(-1)?.id ?? '' });
    missed.push((await createCohort()).body.id);
    await expect.poll(() => eventsIn(second).map(({ object_id }) => object_id)).toEqual(missed);
    // The position in its first message is also valid for resuming.
    const again = await follow({ lastEventId: second.messages[0]?.id ?? '' });
    await expect.poll(() => eventsIn(again).map(({ object_id }) => object_id)).toEqual(missed);
    await Promise.all([second.stop(), again.stop()]);
  });

  it('sends thousands of missed events and then continues with new events', async () => {
    const before = await follow();
    await before.stop();
    await server.sql(
      `insert into events (kind, object_kind, object_id, data)
       select 'startExecution', 'none', n, jsonb_build_object('text', repeat('x', 1000)) from generate_series(1, 5000) n`,
    );
    const reading = await follow({ lastEventId: before.messages[0]?.id ?? '', query: { kind: 'startExecution' } });
    await server.sql(`insert into events (kind, object_kind, object_id) values ('startExecution', 'none', 5001)`);
    await expect.poll(() => eventsIn(reading).length).toBe(5001);
    expect(eventsIn(reading).every(({ object_id }, index) => object_id === index + 1)).toBe(true);
    await reading.stop();
  });
});

describe('a slow transaction', () => {
  it('delays later events until it commits, so that no event is lost', async () => {
    const reading = await follow({ query: { object_kind: 'scantype' } });
    const slow = new Client({ connectionString: server.testDatabase.databaseUrl });
    await slow.connect();
    await slow.query('begin');
    await slow.query(`insert into events (kind, object_kind, object_id) values ('first', 'scantype', 1)`);
    const { now } = await readRetainedEvents(server.database.db);
    await server.sql(`insert into events (kind, object_kind, object_id) values ('second', 'scantype', 2)`);
    // If events were read by id alone, the second would be sent now and the first never.
    const { events } = await readEvents(server.database.db, now, 100);
    expect(events.filter(({ object_kind }) => object_kind === 'scantype')).toEqual([]);
    expect(kindsOf(reading)).toEqual([]);
    await slow.query('commit');
    await slow.end();
    await expect.poll(() => kindsOf(reading)).toEqual(['first', 'second']);
    const [one, other] = eventsIn(reading);
    expect(one?.id).toBeLessThan(other?.id ?? 0);
    await reading.stop();
  });
});

describe('removed events', () => {
  it('cause a reset for readers that have not received them', async () => {
    const before = await follow();
    await createCohort();
    await expect.poll(() => kindsOf(before)).toHaveLength(1);
    const [ready, last] = before.messages;
    await before.stop();
    await server.sql(`update events set at = now() - interval '15 days'`);
    await createCohort();
    await removeOutdated(server.database.db, { events: 14, logs: 0, sessions: 1, bulkOperations: 1, imports: 1 });
    expect(await server.sql('select from events')).toHaveLength(1);
    const late = await follow({ lastEventId: ready?.id ?? '' });
    expect(late.messages.map(({ event }) => event)).toEqual(['reset', 'ready']);
    const inTime = await follow({ lastEventId: last?.id ?? '' });
    expect(inTime.messages[0]?.event).toBe('ready');
    await expect.poll(() => kindsOf(inTime)).toEqual(['createCohort']);
    const elsewhere = await follow({ lastEventId: '999999999-1' });
    expect(elsewhere.messages[0]?.event).toBe('reset');
    await Promise.all([late.stop(), inTime.stop(), elsewhere.stop()]);
  });
});

const openStreams = async ({ metrics }: TestServer) =>
  (await metrics.getSingleMetric('milepost_event_streams')?.get())?.values[0]?.value;

describe('the server', () => {
  it('disconnects a client that reads nothing for the configured time, but no other client', async () => {
    const impatient = await startTestServer({ settings: { MILEPOST_STREAM_PAUSE_SECONDS: '1' } });
    const { hostname, port } = new URL(impatient.origin);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(`GET /api/v2/events HTTP/1.1\r\nhost: x\r\nauthorization: ${basic('admin', testPassword)}\r\n\r\n`);
    await expect.poll(() => openStreams(impatient)).toBe(1);
    const other = await followEvents(impatient, { query: { kind: 'openIncident' } });
    // More than the buffers of the operating system hold.
    await impatient.sql(
      `insert into events (kind, object_kind, object_id, data)
       select 'flood', 'none', n, jsonb_build_object('text', repeat('x', 2000)) from generate_series(1, 16000) n`,
    );
    await impatient.sql(`insert into events (kind, object_kind, object_id) values ('openIncident', 'none', 1)`);
    await expect.poll(() => eventsIn(other).length).toBe(1);
    await expect.poll(() => openStreams(impatient)).toBe(1);
    socket.destroy();
    await other.stop();
    await impatient.stop();
  });

  it('rejects a new reader while 500 readers are connected', async () => {
    const eventStreams = new Set(Array.from({ length: 500 }, () => ({}) as EventStream));
    const call = { eventStreams } as unknown as Parameters<typeof eventHandlers.listEvents>[0];
    await expect(eventHandlers.listEvents(call)).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 10 });
  });

  it('ends its event streams when it stops', async () => {
    const other = await startTestServer();
    const client = createClient({ baseUrl: other.baseUrl, authorization: basic('admin', testPassword) });
    const stream = await client.listEvents();
    expect((await stream.next()).value?.event).toBe('ready');
    // A stream that is still open after 20 s is cut off, which would throw here.
    const [end] = await Promise.all([stream.next(), other.stop()]);
    expect(end.done).toBe(true);
  });
});
