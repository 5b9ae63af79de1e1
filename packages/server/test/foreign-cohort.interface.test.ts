/**
 * A user with every permission for one cohort calls every operation about another cohort. Nothing is found or changed, and no
 * text or id of the other cohort appears in a response, header, stream, count or event. The user can read and change everything
 * in their own cohort. An administrator sees the texts and ids that the user must not see, which shows that the test would find
 * them.
 *
 * @module-tag sql
 */
import { basic, listedRows, operations, readMessages, type Operation, type OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noSuchId } from '../testing/cases/expectations.ts';
import { kindsIn, markedKinds, withMarkedIds } from '../testing/foreign-cohort/marked-ids.ts';
import { giveTo, makeShared, makeStudy, type Study } from '../testing/foreign-cohort/marked-study.ts';
import { readsOf, writesOf, type StudyRequest } from '../testing/foreign-cohort/requests.ts';
import { startTestServer, testPassword, type Parts, type TestServer } from '../testing/server.ts';

const [ownMark, foreignMark] = ['Opal', 'Onyx'];
const scopedAdmin = 'scoped_admin';
let scopedAdminId: number;
let server: TestServer;
let own: Study;
let foreign: Study;
/** The position in the event stream before the studies were created. */
let startPosition: string;

beforeAll(async () => {
  server = await startTestServer();
  const shared = await makeShared(server);
  startPosition = (await readStream('admin', undefined, () => true)).at(-1)?.id ?? '';
  own = await makeStudy(server, shared, ownMark);
  foreign = await withMarkedIds(server, () => makeStudy(server, shared, foreignMark));
  scopedAdminId = await server.addUser(scopedAdmin, []);
  await giveTo(server, own, scopedAdminId);
  const params = { username: scopedAdmin, role_name: 'admin', cohort_id: own.cohort.id };
  await server.call('assignCohortRole', { params });
});
afterAll(() => server.stop());

interface Received {
  status: number;
  /** Headers and body, for errors without the values that the request sent. */
  text: string;
}

/** Reads the whole response, including streamed rows. */
async function send(name: OperationName, parts: Parts, as: string, accept = 'application/json'): Promise<Received> {
  const { method, path, upload }: Operation = operations[name];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(parts.params?.[key])));
  const query = new URLSearchParams(
    Object.entries(parts.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const response = await fetch(`${server.baseUrl}${filled}?${query.toString()}`, {
    method,
    headers: {
      authorization: basic(as, testPassword),
      accept,
      ...(parts.body === undefined ? {} : { 'content-type': upload ?? 'application/json' }),
      ...(parts.fields === undefined ? {} : { 'x-fields': parts.fields }),
    },
    ...(parts.body !== undefined && { body: typeof parts.body === 'string' ? parts.body : JSON.stringify(parts.body) }),
  });
  const text = [...response.headers.values(), await response.text()].join('\n');
  return { status: response.status, text: response.ok ? text : withoutSentValues(text, parts) };
}

/** An error may repeat values of the request. */
const withoutSentValues = (text: string, { params = {}, query = {}, body = {} }: Parts): string =>
  [...Object.values(params), ...Object.values(query), ...Object.values(body as object)]
    .map(String)
    .filter((value) => value.includes(foreignMark) || kindsIn(value).length > 0)
    .flatMap((value: string) => [value, encodeURIComponent(value), encodeURIComponent(value).replaceAll('%20', '+')])
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, sent) => rest.replaceAll(sent, ''), text);

/** Reads the messages after a position, up to the first for which `isLast` is true. */
async function readStream(as: string, from: string | undefined, isLast: (message: Message) => boolean) {
  const stop = new AbortController();
  const headers = { authorization: basic(as, testPassword), ...(from !== undefined && { 'last-event-id': from }) };
  const response = await fetch(`${server.baseUrl}/events`, { headers, signal: stop.signal });
  const messages: Message[] = [];
  if (!response.body) return messages;
  for await (const message of readMessages(response.body) as AsyncIterable<Message>) {
    messages.push(message);
    if (isLast(message)) break;
  }
  stop.abort();
  return messages;
}

interface Message {
  id?: string;
  event?: string;
  data: { id?: number; cohort_id?: number | null; object_kind?: string; object_id?: number };
}

/** What a text reveals about the foreign cohort: the kinds of rows whose ids it contains, and the cohort's mark. */
const revealedBy = (text: string): string[] => [...kindsIn(text), ...(text.includes(foreignMark) ? ['mark'] : [])];
const revealedToAdmin = new Set<string>();

/** Whether a role for a cohort can grant access to an operation. */
const isCohortScoped = ({ access, installationWide }: Operation) =>
  !installationWide && ['read', 'permission', 'execution'].includes(access.kind);

const names = Object.keys(operations) as OperationName[];
const cohortScoped = names.filter((name) => isCohortScoped(operations[name]));
/** Event streams have their own test. */
const reads = cohortScoped.filter((name) => {
  const { method, stream }: Operation = operations[name];
  return method === 'GET' && !stream;
});
/** Resources that all cohorts share, in which only the lists of rows differ. */
const sharedPaths = /^\/(workflows|states|transitions|callbacks|external_systems|scantypes)\//;

const expectStatus = (name: OperationName, { parts }: StudyRequest, { status }: Received, expected: number) =>
  expect({ name, parts, status }).toEqual({ name, parts, status: expected });

/** The errors that the user gets, without the ids that the request sent. */
const errorsOf = async (name: OperationName, parts: Parts) => {
  const { status, body } = await server.call(name, { ...parts, as: scopedAdmin });
  return { status, errors: JSON.stringify(body.errors).replaceAll(/\d+/g, 'ID') };
};

describe.each(reads.filter((name) => listedRows(operations[name])))('%s as CSV and JSON lines', (name) => {
  it.each(['text/csv', 'application/x-ndjson'])('reveals nothing about another cohort in %s', async (accept) => {
    for (const { parts } of [own, foreign].flatMap((study) => readsOf(study)[name] ?? [])) {
      const { text } = await send(name, parts, scopedAdmin, accept);
      expect([parts, revealedBy(text)]).toEqual([parts, []]);
    }
  });
});

describe.each(reads)('%s', (name) => {
  const { path } = operations[name];
  const namesRow = path.includes('{') && !sharedPaths.test(path);
  const requestsAbout = (study: Study): StudyRequest[] => readsOf(study)[name] ?? [];

  it('reveals nothing about another cohort (V8.2.2, V8.4.1)', async () => {
    expect(requestsAbout(foreign).length).toBeGreaterThan(0);
    for (const one of requestsAbout(foreign)) {
      const received = await send(name, one.parts, scopedAdmin);
      expectStatus(name, one, received, one.names ? 400 : namesRow ? 404 : 200);
      expect([one.parts, revealedBy(received.text)]).toEqual([one.parts, []]);
    }
  });

  it.each([
    [scopedAdmin, 'their own cohort', () => own],
    ['admin', 'any cohort', () => foreign],
  ])('allows %s to read %s', async (as, _which, study) => {
    for (const one of requestsAbout(study())) {
      const received = await send(name, one.parts, as);
      expectStatus(name, one, received, 200);
      if (as === 'admin') for (const kind of revealedBy(received.text)) revealedToAdmin.add(kind);
      else expect([one.parts, revealedBy(received.text)]).toEqual([one.parts, []]);
      if (one.shows) expect([one.parts, received.text.includes(study().mark)]).toEqual([one.parts, true]);
    }
  });
});

const withNamedFilters: readonly OperationName[] = [
  'listIncidents',
  'listExperimentRows',
  'listAttention',
  'getAttentionGroups',
  'getWorkflowCounts',
  'listAudit',
];

describe.each(withNamedFilters)('a filter of %s', (name) => {
  it('describes an object of another cohort like one that does not exist', async () => {
    const requests = readsOf(foreign)[name]?.filter((one) => one.names) ?? [];
    expect(requests.length).toBeGreaterThan(0);
    for (const { parts } of requests) {
      const query = Object.fromEntries(
        Object.entries(parts.query ?? {}).map(([key, value]) => [key, key.endsWith('_id') ? noSuchId : value]),
      );
      expect(await errorsOf(name, parts)).toEqual(await errorsOf(name, { ...parts, query }));
    }
  });
});

describe('an administrator', () => {
  it('can read the texts and the ids of every kind of row that must be hidden from users of another cohort', () => {
    expect([...revealedToAdmin].toSorted()).toEqual([...markedKinds, 'mark'].toSorted());
  });
});

const failuresSeenBy = async (as: string) => (await server.call('listAttention', { as })).body.counts.failed;

const countsSeenBy = async (as: string) => {
  const counts = await server.call('getWorkflowCounts', { params: { id: own.workflow.id }, as });
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
  it("include only the user's cohort", async () => {
    expect(await countsSeenBy('admin')).toEqual([2200, 4, 0]);
    expect(await countsSeenBy(scopedAdmin)).toEqual([1100, 2, 0]);
    expect([await failuresSeenBy('admin'), await failuresSeenBy(scopedAdmin)]).toEqual([2, 1]);
  });

  it("of waiting experiments, and the list of these experiments, include only the user's cohort", async () => {
    const updateOpenExecutions = (values: string) =>
      server.sql(`update callback_executions set ${values} where id = any($1)`, [[own.open.id, foreign.open.id]]);
    await updateOpenExecutions(`status = 'waiting', wait_start = now()`);
    expect([await waitingSeenBy('admin'), await waitingSeenBy(scopedAdmin)]).toEqual([
      { counts: [0, 2, 0], rows: [own.second.id, foreign.second.id] },
      { counts: [0, 1, 0], rows: [own.second.id] },
    ]);
    await updateOpenExecutions(`status = 'running', wait_start = null`);
  });
});

const eventsOf = (messages: Message[]) => messages.filter(({ event }) => event !== 'ready');
const cohortOf = ({ data }: Message) => data.cohort_id;
const isOwnAccount = ({ data }: Message) => data.object_kind === 'user' && data.object_id === scopedAdminId;
const cohortsIn = (messages: Message[]) => new Set(eventsOf(messages).map(cohortOf));

describe('events', () => {
  it("include only the user's cohort and the user's own account", async () => {
    await server.call('addNote', { params: { id: own.experiment.id }, body: { text: 'last' } });
    const [{ id: last } = { id: '' }] = await server.sql<{ id: string }>('select max(id) as id from events');
    const isLast = ({ data }: Message) => data.id === Number(last);
    const all = await readStream('admin', startPosition, isLast);
    const seen = await readStream(scopedAdmin, startPosition, isLast);
    expect(cohortsIn(all)).toEqual(new Set([null, own.cohort.id, foreign.cohort.id]));
    expect(eventsOf(seen)).toEqual(eventsOf(all).filter((one) => cohortOf(one) === own.cohort.id || isOwnAccount(one)));
    expect([cohortsIn(seen), eventsOf(seen).filter(isOwnAccount).length]).toEqual([new Set([null, own.cohort.id]), 2]);
    expect([revealedBy(JSON.stringify(all)).length > 0, revealedBy(JSON.stringify(seen))]).toEqual([true, []]);
  });

  it('of a foreign experiment or cohort cannot be followed', async () => {
    const query = { experiment_id: foreign.experiment.id, cohort_id: foreign.cohort.id };
    const unknown = { experiment_id: noSuchId, cohort_id: noSuchId };
    const errors = await errorsOf('listEvents', { query });
    expect(errors).toEqual(await errorsOf('listEvents', { query: unknown }));
    expect(errors.status).toBe(400);
  });
});

/** The number of records that writes have created. */
const countRecords = () =>
  server.sql('select (select count(*) from history) as history, (select count(*) from events) as events');

describe('writes', () => {
  it('to another cohort return 404, change nothing and reveal nothing (V8.2.2, V8.4.1)', async () => {
    const before = await countRecords();
    for (const [name, parts] of writesOf(foreign)) {
      const { status, text } = await send(name, parts, scopedAdmin);
      expect({ name, status, revealed: revealedBy(text) }).toEqual({ name, status: 404, revealed: [] });
    }
    expect(await countRecords()).toEqual(before);
  });

  it('cannot move a subject or an experiment into or out of another cohort', async () => {
    const before = await countRecords();
    const moves: [OperationName, Parts][] = [
      ['updateSubject', { params: { id: own.subject.id }, body: { cohort_label: foreign.cohort.label } }],
      ['updateSubject', { params: { id: foreign.subject.id }, body: { cohort_label: own.cohort.label } }],
      ['updateExperiment', { params: { id: own.experiment.id }, body: { subject_id: foreign.subject.id } }],
      ['updateExperiment', { params: { id: foreign.experiment.id }, body: { subject_id: own.subject.id } }],
    ];
    for (const [name, parts] of moves) expect((await send(name, parts, scopedAdmin)).status).toBe(404);
    expect(await countRecords()).toEqual(before);
  });

  it("to the user's own cohort succeed", async () => {
    for (const [name, parts] of writesOf(own)) {
      const { status, text } = await send(name, parts, scopedAdmin);
      expect({ name, status, text: status < 300 ? '' : text }).toEqual({ name, status, text: '' });
    }
  });

  it('are tested for every operation to which a role for a cohort grants access', () => {
    const tried = new Set(writesOf(own).map(([name]) => name));
    const written = cohortScoped.filter((name) => operations[name].method !== 'GET');
    expect([...tried].toSorted()).toEqual(written.toSorted());
  });
});

describe('a user with a role for one cohort', () => {
  const installationWide = names.filter((name) => (operations[name] as Operation).installationWide);

  it.each(installationWide)('gets 403 from the installation-wide operation %s', async (name) => {
    const { example, path }: Operation = operations[name];
    const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => [key, 1]));
    const body = example.body === undefined ? {} : { body: example.body };
    const { status, text } = await send(name, { params, ...body }, scopedAdmin);
    expect([status, revealedBy(text)]).toEqual([403, []]);
  });
});
