/**
 * Somebody who has every permission, for one cohort alone, asks every operation about another: nothing is found, nothing is
 * changed, and no text and no id of the other cohort is in any answer, header, stream, count or event. Of their own cohort they see and
 * change everything; and who may see all cohorts sees the marks that the others must not.
 *
 * @module-tag sql
 */
import { basic, operations, readMessages, type Operation, type OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindsIn, markedKinds, withMarkedIds } from '../../testing/foreign-cohort/marked-ids.ts';
import { makeShared, makeStudy, type Study } from '../../testing/foreign-cohort/marked-study.ts';
import { readsOf, writesOf, type Asked } from '../../testing/foreign-cohort/requests.ts';
import { startTestServer, testPassword, type Parts, type TestServer } from '../../testing/server.ts';
import { builtOperations } from '../app.ts';

const [ownMark, foreignMark] = ['Opal', 'Onyx'];
const somebody = 'scoped_admin';
let somebodysId: number;
let server: TestServer;
let own: Study;
let foreign: Study;
/** The position of the events before anything was made. */
let begin: string;

beforeAll(async () => {
  server = await startTestServer();
  const shared = await makeShared(server);
  begin = (await readStream('admin', undefined, () => true)).at(-1)?.id ?? '';
  own = await makeStudy(server, shared, ownMark);
  foreign = await withMarkedIds(server, () => makeStudy(server, shared, foreignMark));
  somebodysId = await server.addUser(somebody, []);
  const params = { username: somebody, role_name: 'admin', cohort_id: own.cohort.id };
  await server.call('assignCohortRole', { params });
});
afterAll(() => server.stop());

interface Heard {
  status: number;
  /** Of the body and the headers; of a refusal without what the request itself said. */
  text: string;
}

/** The whole answer, whatever its form: a stream of rows is read to its end. */
async function ask(name: OperationName, parts: Parts, as: string): Promise<Heard> {
  const { method, path } = operations[name];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(parts.params?.[key])));
  const query = new URLSearchParams(
    Object.entries(parts.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const response = await fetch(`${server.baseUrl}${filled}?${query.toString()}`, {
    method,
    headers: {
      authorization: basic(as, testPassword),
      ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(parts.fields === undefined ? {} : { 'x-fields': parts.fields }),
    },
    ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
  });
  const heard = [...response.headers.values(), await response.text()].join('\n');
  return { status: response.status, text: response.ok ? heard : withoutSaid(heard, parts) };
}

/** A refusal may repeat what was asked for. */
const withoutSaid = (text: string, { params = {}, query = {}, body = {} }: Parts): string =>
  [...Object.values(params), ...Object.values(query), ...Object.values(body as object)]
    .map(String)
    .filter((value) => value.includes(foreignMark) || kindsIn(value).length > 0)
    .flatMap((value: string) => [value, encodeURIComponent(value), encodeURIComponent(value).replaceAll('%20', '+')])
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, said) => left.replaceAll(said, ''), text);

/** The messages behind a position, until one of them is the last that is wanted. */
async function readStream(as: string, from: string | undefined, isLast: (message: Message) => boolean) {
  const stop = new AbortController();
  const headers = { authorization: basic(as, testPassword), ...(from !== undefined && { 'last-event-id': from }) };
  const response = await fetch(`${server.baseUrl}/events`, { headers, signal: stop.signal });
  const heard: Message[] = [];
  if (!response.body) return heard;
  for await (const message of readMessages(response.body) as AsyncIterable<Message>) {
    heard.push(message);
    if (isLast(message)) break;
  }
  stop.abort();
  return heard;
}

interface Message {
  id?: string;
  event?: string;
  data: { id?: number; cohort_id?: number | null; object_kind?: string; object_id?: number };
}

/** What an answer tells of the foreign cohort: the kinds of rows whose ids stand in it, and its mark. */
const tellsOf = (text: string): string[] => [...kindsIn(text), ...(text.includes(foreignMark) ? ['its mark'] : [])];
/** What those were told who may see it. */
const toldToAdmin = new Set<string>();

/** What a role for cohorts may open. */
const isOfCohorts = ({ access, installationWide }: Operation) =>
  !installationWide && ['role', 'permission', 'execution'].includes(access.kind);

const built = Object.keys(builtOperations) as OperationName[];
const ofCohorts = built.filter((name) => isOfCohorts(operations[name]));
/** Streams are asked by a test of their own. */
const reading = ofCohorts.filter((name) => {
  const { method, stream }: Operation = operations[name];
  return method === 'GET' && !stream;
});
/** What all cohorts share: of these only the lists of rows inside differ. */
const shared = /^\/(workflows|states|transitions|callbacks|external_systems|scantypes)\//;

const expectAnswer = (name: OperationName, { parts }: Asked, { status }: Heard, wanted: number) =>
  expect({ name, parts, status }).toEqual({ name, parts, status: wanted });

describe.each(reading)('%s', (name) => {
  const { path } = operations[name];
  const namesRow = path.includes('{') && !shared.test(path);
  const about = (study: Study): Asked[] => readsOf(study)[name] ?? [];

  it('tells nothing of a foreign cohort (V8.2.2, V8.4.1)', async () => {
    expect(about(foreign).length).toBeGreaterThan(0);
    for (const one of about(foreign)) {
      const heard = await ask(name, one.parts, somebody);
      expectAnswer(name, one, heard, namesRow ? 404 : 200);
      const text = one.repeats ? withoutSaid(heard.text, one.parts) : heard.text;
      expect([one.parts, tellsOf(text)]).toEqual([one.parts, []]);
    }
  });

  it.each([
    [somebody, 'the own one', () => own],
    ['admin', 'any', () => foreign],
  ])('tells %s of %s', async (as, _which, study) => {
    for (const one of about(study())) {
      const heard = await ask(name, one.parts, as);
      expectAnswer(name, one, heard, 200);
      if (as === 'admin') for (const kind of tellsOf(heard.text)) toldToAdmin.add(kind);
      else expect([one.parts, tellsOf(heard.text)]).toEqual([one.parts, []]);
      if (one.shows) expect([one.parts, heard.text.includes(study().mark)]).toEqual([one.parts, true]);
    }
  });
});

describe('who may see all cohorts', () => {
  it('is told ids of every kind, which the others are not', () => {
    expect([...toldToAdmin].toSorted()).toEqual([...markedKinds, 'its mark'].toSorted());
  });
});

const failuresSeenBy = async (as: string) => (await server.call('listAttention', { as })).body.counts.failed;

const countsSeenBy = async (as: string, query: Parts['query'] = {}) => {
  const counts = await server.call('getWorkflowCounts', { params: { id: own.workflow.id }, query, as });
  return counts.body.states.map(({ experiments }: { experiments: number }) => experiments);
};

const waitingSeenBy = async (as: string) => {
  const { body: counted } = await server.call('getWorkflowCounts', { params: { id: own.workflow.id }, as });
  const { body: listed } = await server.call('listExperimentRows', { query: { status: 'waiting' }, as });
  return {
    counts: counted.states.map(({ waiting }: { waiting: number }) => waiting),
    rows: listed.experiments.map(({ id }: { id: number }) => id),
  };
};

describe('counts', () => {
  it('are those of the own cohort', async () => {
    expect(await countsSeenBy('admin')).toEqual([2200, 4, 0]);
    expect(await countsSeenBy(somebody)).toEqual([1100, 2, 0]);
    expect(await countsSeenBy(somebody, { cohort_id: foreign.cohort.id })).toEqual([0, 0, 0]);
    expect([await failuresSeenBy('admin'), await failuresSeenBy(somebody)]).toEqual([2, 1]);
  });

  it('of what waits for a report are those of the own cohort, and so are its rows', async () => {
    const become = (values: string) =>
      server.sql(`update callback_executions set ${values} where id = any($1)`, [[own.open.id, foreign.open.id]]);
    await become(`status = 'waiting', wait_start = now()`);
    expect([await waitingSeenBy('admin'), await waitingSeenBy(somebody)]).toEqual([
      { counts: [0, 2, 0], rows: [own.second.id, foreign.second.id] },
      { counts: [0, 1, 0], rows: [own.second.id] },
    ]);
    await become(`status = 'running', wait_start = null`);
  });
});

const told = (messages: Message[]) => messages.filter(({ event }) => event !== 'ready');
const cohortOf = ({ data }: Message) => data.cohort_id;
const isOwn = ({ data }: Message) => data.object_kind === 'user' && data.object_id === somebodysId;
const cohortsIn = (messages: Message[]) => new Set(told(messages).map(cohortOf));

describe('events', () => {
  it('are those of the own cohort, and beside them only what happens to the own account', async () => {
    await server.call('addNote', { params: { id: own.experiment.id }, body: { text: 'last' } });
    const [{ id: last } = { id: '' }] = await server.sql<{ id: string }>('select max(id) as id from events');
    const isLast = ({ data }: Message) => data.id === Number(last);
    const all = await readStream('admin', begin, isLast);
    const seen = await readStream(somebody, begin, isLast);
    expect(cohortsIn(all)).toEqual(new Set([null, own.cohort.id, foreign.cohort.id]));
    expect(told(seen)).toEqual(told(all).filter((one) => cohortOf(one) === own.cohort.id || isOwn(one)));
    expect([cohortsIn(seen), told(seen).filter(isOwn).length]).toEqual([new Set([null, own.cohort.id]), 2]);
    expect([tellsOf(JSON.stringify(all)).length > 0, tellsOf(JSON.stringify(seen))]).toEqual([true, []]);
  });
});

/** All that a write leaves behind. */
const marks = () =>
  server.sql('select (select count(*) from history) as history, (select count(*) from events) as events');

describe('writes', () => {
  it('about a foreign cohort find nothing, change nothing and tell nothing (V8.2.2, V8.4.1)', async () => {
    const before = await marks();
    for (const [name, parts] of writesOf(foreign)) {
      const { status, text } = await ask(name, parts, somebody);
      expect({ name, status, told: tellsOf(text) }).toEqual({ name, status: 404, told: [] });
    }
    expect(await marks()).toEqual(before);
  });

  it('cannot take anything into a foreign cohort or out of it', async () => {
    const before = await marks();
    const moves: [OperationName, Parts][] = [
      ['updateSubject', { params: { id: own.subject.id }, body: { cohort_label: foreign.cohort.label } }],
      ['updateSubject', { params: { id: foreign.subject.id }, body: { cohort_label: own.cohort.label } }],
      ['updateExperiment', { params: { id: own.experiment.id }, body: { subject_id: foreign.subject.id } }],
      ['updateExperiment', { params: { id: foreign.experiment.id }, body: { subject_id: own.subject.id } }],
    ];
    for (const [name, parts] of moves) expect((await ask(name, parts, somebody)).status).toBe(404);
    expect(await marks()).toEqual(before);
  });

  it('about the own one succeed', async () => {
    for (const [name, parts] of writesOf(own)) {
      const { status, text } = await ask(name, parts, somebody);
      expect({ name, status, text: status < 300 ? '' : text }).toEqual({ name, status, text: '' });
    }
  });

  it('were tried of every operation that a role for cohorts may open', () => {
    const tried = new Set(writesOf(own).map(([name]) => name));
    const written = ofCohorts.filter((name) => operations[name].method !== 'GET');
    expect([...tried].toSorted()).toEqual(written.toSorted());
  });
});

describe('what concerns the whole installation', () => {
  const wide = built.filter((name) => (operations[name] as Operation).installationWide);

  it.each(wide)('%s is refused', async (name) => {
    const { example, path }: Operation = operations[name];
    const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => [key, 1]));
    const body = example.body === undefined ? {} : { body: example.body };
    const { status, text } = await ask(name, { params, ...body }, somebody);
    expect([status, tellsOf(text)]).toEqual([403, []]);
  });
});
