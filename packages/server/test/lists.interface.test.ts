/**
 * Pages, filters and links to the next page, which work the same for every list.
 *
 * @module-tag sql
 */
import { basic, operations, type Operation, type OperationName } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAllInBulk } from '../testing/bulk-world.ts';
import { execution } from '../testing/cases/callbacks.ts';
import { createWorld, type World } from '../testing/cases/world.ts';
import { makeListedImport } from '../testing/listed-imports.ts';
import { startTestServer, testPassword, type Parts, type TestServer } from '../testing/server.ts';

let server: TestServer;
const rows = 7;
beforeAll(async () => {
  server = await startTestServer();
  const world = createWorld(server);
  for (const label of ['a/b', 'other']) await server.call('createCohort', { body: { label } });
  await server.call('createSubject', { body: { label: 'elsewhere', cohort_label: 'other' } });
  const subjects: { id: number }[] = [];
  for (let index = 0; index < rows; index++) {
    const { body } = await server.call('createSubject', { body: { label: `s${index}`, cohort_label: 'a/b' } });
    subjects.push(body);
    await server.call('createCohort', { body: { label: `c${index}` } });
    await Promise.all([world.system(), world.user()]);
  }
  for (let index = 0; index < rows; index++) await world.experimentOf(subjects[0] ?? { id: 0 });
  await makeExperiments(subjects[0]?.id ?? 0);
  await makeRuns(world);
  for (const make of [makeScans, makeLinks, makeNotes, makeOwnRows]) await make();
  Object.assign(bulkOperation, await checkAllInBulk(server));
  Object.assign(checkedImport, await makeListedImport(server, crowdedCohort.id, rows));
});
afterAll(() => server.stop());

/** Set when the rows are created. */
const [crowdedState, movedExperiment, triedExecution, checkedImport] = [{ id: 0 }, { id: 0 }, { id: 0 }, { id: 0 }];
const [inCrowdedState, crowdedCohort, bulkOperation] = [{ state_id: 0 }, { id: 0 }, { id: 0 }];
const ofMovedExperiment = { state: 'all', experiment_id: 0 };

/** A workflow with several states and revisions, several experiments in the first state, and several moves of one of them. */
async function makeExperiments(subjectId: number): Promise<void> {
  const others = Array.from({ length: rows }, (_, index) => `  - {label: s${index}}\n`).join('');
  const definition = `label: many\ninitial: a\nstates:\n  - {label: a, transitions: [{destination: a}]}\n${others}`;
  await server.call('importWorkflow', { body: { workflow_definition: definition } });
  await server.sql(
    `insert into workflow_revisions (workflow_id, revision, definition, definition_hash)
     select id, n * 2, '', repeat('0', 64) from workflows cross join generate_series(1, $1::int) n where label = 'many'`,
    [rows],
  );
  for (let index = 0; index < rows; index++) {
    const experiment = { label: `many ${index}`, subject_id: subjectId, workflow_label: 'many' };
    const { body } = await server.call('createExperiment', { body: experiment });
    Object.assign(crowdedState, { id: body.state.id });
    Object.assign(inCrowdedState, { state_id: body.state.id });
    Object.assign(movedExperiment, { id: body.id });
  }
  for (let index = 0; index < rows; index++) {
    await server.call('setExperimentState', { params: movedExperiment, body: { state_label: 'a' } });
  }
}

/** Several executions, one of them with several attempts, an open incident of each experiment, and several closed incidents of one. */
async function makeRuns(world: World): Promise<void> {
  Object.assign(ofMovedExperiment, { experiment_id: movedExperiment.id });
  for (let index = 0; index < rows; index++) Object.assign(triedExecution, { id: (await execution(world)).id });
  await server.sql(
    `insert into execution_attempts (execution_id, attempt, secret_hash)
     select $1, n * 2, decode(repeat('00', 32), 'hex') from generate_series(1, $2::int) n`,
    [triedExecution.id, rows],
  );
  await server.sql(`insert into incidents (experiment_id, kind) select id, 'failed' from experiments`);
  await server.sql(
    `insert into incidents (experiment_id, kind, closed_at) select $1, 'brake', now() + interval '1 hour' from generate_series(1, $2::int)`,
    [movedExperiment.id, rows],
  );
}

async function makeScans(): Promise<void> {
  await server.sql(`insert into scantypes (modality, protocol) select 'MR', n from generate_series(1, ${rows}) n`);
  await server.sql(
    'insert into scans (experiment_id, cohort_id, scantype_id) select id, cohort_id, 1 from experiments',
  );
}

async function makeLinks(): Promise<void> {
  for (const owner of ['subject', 'experiment']) {
    await server.sql(`insert into external_${owner}_links (${owner}_id, cohort_id, external_system_id, external_id)
      select id, cohort_id, 1, 'XNAT_' || id from ${owner}s`);
  }
}

async function makeNotes(): Promise<void> {
  Object.assign(crowdedCohort, (await server.call('getCohortByLabel', { params: { label: 'a/b' } })).body);
  for (let index = 0; index < rows; index++)
    await server.call('addNote', { params: movedExperiment, body: { text: `note ${index}` } });
}

/** Several sessions, tokens and views of the administrator, who is the first user. */
async function makeOwnRows(): Promise<void> {
  await server.sql(
    `with opened as (
       insert into sessions (user_id, token_hash, address, user_agent)
       select 1, sha256(n::text::bytea), '', '' from generate_series(1, $1::int) n)
     insert into api_tokens (user_id, token_hash, name, permissions, expires_at)
     select 1, sha256(n::text::bytea), 'x', '{}', now() + interval '1 day' from generate_series(1, $1::int) n`,
    [rows],
  );
  for (let n = 0; n < rows; n++) await server.call('createView', { body: { name: `view ${n}`, query: '' } });
}

/** `id` is the field that orders the rows, `most` the maximum page size, if there is one. */
const lists: { name: OperationName; key: string; id?: string; parts?: Parts; most?: number }[] = [
  { name: 'listCohorts', key: 'cohorts' },
  { name: 'listSubjects', key: 'subjects' },
  { name: 'listSubjects', key: 'subjects', parts: { query: { cohort_label: 'a/b' } } },
  { name: 'listCohortSubjects', key: 'subjects', parts: { params: { label: 'a/b' } } },
  {
    name: 'listCohortSubjectExperiments',
    key: 'experiments',
    parts: { params: { label: 'a/b', subject_label: 's0' } },
  },
  { name: 'listExternalSystems', key: 'external_systems' },
  { name: 'listRoles', key: 'roles' },
  { name: 'listRoleRows', key: 'roles' },
  { name: 'listUsers', key: 'users' },
  { name: 'listExperiments', key: 'experiments' },
  { name: 'listExperiments', key: 'experiments', parts: { query: { state: 'a' } } },
  { name: 'listExperiments', key: 'experiments', parts: { query: { workflow_label: 'many' } } },
  { name: 'listExperiments', key: 'experiments', parts: { query: { cohort_label: 'a/b' } } },
  { name: 'listStateExperiments', key: 'experiments', parts: { params: crowdedState } },
  { name: 'listExternalExperimentLinks', key: 'external_experiment_links' },
  { name: 'listExternalSubjectLinks', key: 'external_subject_links' },
  { name: 'listScans', key: 'scans' },
  { name: 'listScantypes', key: 'scantypes' },
  { name: 'listActions', key: 'actions' },
  { name: 'listExperimentActions', key: 'actions', parts: { params: movedExperiment } },
  { name: 'listWorkflows', key: 'workflows' },
  { name: 'listStates', key: 'states' },
  { name: 'listWorkflowStates', key: 'states', parts: { params: { workflow_label: 'many' } } },
  { name: 'listWorkflowRevisions', key: 'revisions', id: 'revision', parts: { params: { workflow_label: 'many' } } },
  { name: 'listTransitions', key: 'transitions' },
  { name: 'listCallbacks', key: 'callbacks' },
  { name: 'listExecutionAttempts', key: 'attempts', id: 'attempt', parts: { params: triedExecution } },
  { name: 'listCallbackExecutions', key: 'callback_executions', most: 1000 },
  { name: 'listIncidents', key: 'incidents' },
  { name: 'listIncidents', key: 'incidents', parts: { query: { kind: 'failed' } } },
  { name: 'listIncidents', key: 'incidents', parts: { query: { kind: 'brake', state: 'closed' } } },
  { name: 'listIncidents', key: 'incidents', parts: { query: ofMovedExperiment } },
  { name: 'listExperimentRows', key: 'experiments', most: 1000 },
  { name: 'listExperimentRows', key: 'experiments', parts: { query: inCrowdedState }, most: 1000 },
  { name: 'listExperimentRows', key: 'experiments', parts: { query: { incident: 'failed' } }, most: 1000 },
  // The labels differ only in their last digit, so label order is id order.
  { name: 'listExperimentRows', key: 'experiments', parts: { query: { label: 'MANY' } }, most: 1000 },
  { name: 'listAttention', key: 'items', most: 1000 },
  { name: 'listAttention', key: 'items', parts: { query: { kind: 'failed' } }, most: 1000 },
  { name: 'getCohortMatrix', key: 'subjects', parts: { params: crowdedCohort, query: { label: 's' } }, most: 1000 },
  { name: 'listCohortRows', key: 'cohorts', most: 1000 },
  { name: 'listWorkflowRows', key: 'workflows', most: 1000 },
  { name: 'listUserRows', key: 'users', most: 1000 },
  { name: 'listUserRows', key: 'users', parts: { query: { find: 'example' } }, most: 1000 },
  { name: 'listExternalSystemRows', key: 'external_systems', most: 1000 },
  { name: 'listSessions', key: 'sessions' },
  { name: 'listApiTokens', key: 'tokens', parts: { params: { id: 1 } } },
  { name: 'listViews', key: 'views', most: 1000 },
  { name: 'listBulkItems', key: 'items', id: 'number', parts: { params: bulkOperation }, most: 1000 },
  { name: 'listImportFaults', key: 'faults', id: 'number', parts: { params: checkedImport }, most: 1000 },
  { name: 'listImportLines', key: 'lines', id: 'line', parts: { params: checkedImport }, most: 1000 },
  { name: 'listImportMappings', key: 'mappings', parts: { params: crowdedCohort }, most: 1000 },
  { name: 'listNotes', key: 'notes', parts: { params: movedExperiment }, most: 1000 },
  { name: 'listExperimentHistory', key: 'history', parts: { params: movedExperiment }, most: 1000 },
];

type Rows = Record<string, number>[];

const titled = lists.map((list) => {
  const filters = Object.keys(list.parts?.query ?? {});
  return [filters.length > 0 ? `${list.name} filtered by ${filters.join(' and ')}` : list.name, list] as const;
});

describe.each(titled)('%s', (_title, { name, key, id = 'id', parts = {}, most }) => {
  const idsOf = (elements: Rows = []) => elements.map((row) => row[id] ?? 0);
  const page = async (query: NonNullable<Parts['query']> = {}) => {
    const { status, body, headers } = await server.call(name, { ...parts, query: { ...parts.query, ...query } });
    expect(status).toBe(200);
    return { ids: idsOf(body[key] as Rows), link: headers.get('link') };
  };

  it('returns every row, ordered by id, and no next page if no limit is given', async () => {
    const { ids, link } = await page();
    expect(ids.length).toBeGreaterThanOrEqual(rows);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(link).toBeNull();
  });

  it('returns an empty list and no next page for a limit of 0', async () => {
    expect(await page({ limit: 0 })).toEqual({ ids: [], link: null });
  });

  it('returns the part of the list that limit, offset and after select', async () => {
    const { ids } = await page();
    expect((await page({ limit: 2 })).ids).toEqual(ids.slice(0, 2));
    expect((await page({ offset: 3 })).ids).toEqual(ids.slice(3));
    expect((await page({ limit: 2, offset: 3 })).ids).toEqual(ids.slice(3, 5));
    expect((await page({ after: ids[2] ?? 0, limit: 2 })).ids).toEqual(ids.slice(3, 5));
    expect((await page({ after: ids.at(-1) ?? 0 })).ids).toEqual([]);
    expect((await page({ offset: 1000 })).ids).toEqual([]);
    expect((await page({ limit: most ?? 20_000 })).ids).toEqual(ids);
  });

  it('does not link to a next page from a full last page', async () => {
    const { ids } = await page();
    expect((await page({ limit: ids.length })).link).toBeNull();
    expect((await page({ limit: ids.length - 1 })).link).toMatch(/; rel="next"$/);
  });

  it.each([{ limit: 3 }, { limit: 2, offset: 1 }])(
    'returns rows without gaps or duplicates if the links from %j are followed',
    async (start) => {
      const { ids } = await page();
      const seen: number[] = [];
      let { ids: these, link } = await page(start);
      for (;;) {
        seen.push(...these);
        if (link === null) break;
        const response = await fetch(server.origin + (/^<(.+)>; rel="next"$/.exec(link)?.[1] ?? ''), {
          headers: { authorization: basic('admin', testPassword) },
        });
        these = idsOf(((await response.json()) as Record<string, Rows>)[key]);
        link = response.headers.get('link');
      }
      expect(seen).toEqual(ids.slice('offset' in start ? start.offset : 0));
    },
  );

  it.each([
    [{ limit: -1 }, ['?limit']],
    [{ limit: 1.5 }, ['?limit']],
    [{ limit: '' }, ['?limit']],
    [{ limit: '99999999999999999' }, ['?limit']],
    [{ offset: 'x', after: '1 ' }, ['?offset', '?after']],
    [{ after: 1, offset: 0 }, ['?offset']],
  ])('returns 400 for %j', async (query, pointers) => {
    const { status, body } = await server.call(name, { ...parts, query: { ...parts.query, ...query } });
    expect(status).toBe(400);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual(pointers.toSorted());
  });

  it('returns 400 for an unknown parameter and suggests the nearest known parameter', async () => {
    const { status, body } = await server.call(name, { ...parts, query: { ...parts.query, limt: 1 } });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { pointer: '?limt', detail: '?limt is not a known parameter. Did you mean "limit"?' },
    ]);
  });
});

describe.each(titled.filter(([, { most }]) => most !== undefined))('%s', (_title, { name, parts = {}, most = 0 }) => {
  it('returns 400 for a limit above the maximum page size', async () => {
    const query = { ...parts.query, limit: most + 1 };
    expect(await server.call(name, { ...parts, query })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '?limit' }] },
    });
  });
});

it('the lists in this file include all operations that have pages', () => {
  // The rows of Insights have no id. Their test reads their pages.
  const paged = Object.entries<Operation>(operations).filter(
    ([, { query, path }]) => query?.properties['after'] && !path.startsWith('/insights/'),
  );
  // The test of the search reads its pages, which have a cursor instead of an id.
  const tested = [...lists.map(({ name }) => name), 'searchExperiments'];
  expect(new Set(tested)).toEqual(new Set(paged.map(([name]) => name)));
});

describe('GET /subjects', () => {
  it('with an unknown cohort label returns an empty list', async () => {
    for (const cohort_label of ['nobody', '', ' ', '..', 'x'.repeat(300)]) {
      expect(await server.call('listSubjects', { query: { cohort_label } })).toMatchObject({
        status: 200,
        body: { subjects: [] },
      });
    }
  });

  it('keeps the filter in the link to the next page', async () => {
    const { headers } = await server.call('listSubjects', { query: { cohort_label: 'a/b', limit: 1, offset: 1 } });
    const next = new URL(/<(.+)>/.exec(headers.get('link') ?? '')?.[1] ?? '', server.origin);
    expect(next.pathname).toBe('/api/v2/subjects');
    expect(Object.fromEntries(next.searchParams)).toEqual({
      cohort_label: 'a/b',
      limit: '1',
      after: expect.stringMatching(/^\d+$/),
    });
  });
});
