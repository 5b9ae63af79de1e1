/**
 * import-workflow: imports of new workflows, rejected files and `dry_run`.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type Parts, type TestServer } from '../../../testing/server.ts';
import { runInThread } from '../../engine/threads/run-in-thread.ts';
import { layOutUndrawn, layOutWorkflow } from '../../engine/workflows/lay-out-workflow.ts';
import { wholeWorkflow as whole } from '../../../../definitions/testing/whole-workflow.ts';
import { importSnapshot, partsOf, activeNames } from '../../../testing/workflow-parts.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const post = (workflow_definition: string, more: { query?: Parts['query']; state_map?: object; as?: string } = {}) =>
  server.call('importWorkflow', {
    body: { workflow_definition, ...(more.state_map && { state_map: more.state_map }) },
    ...(more.query && { query: more.query }),
    ...(more.as && { as: more.as }),
  });

const graphOf = async (id: number) => (await server.call('getWorkflowGraph', { params: { id } })).body;

describe('an import with a new label', () => {
  it('returns 201 and creates the workflow with states, callbacks, transitions, an entry transition and a revision', async () => {
    const { status, body } = await post(whole('whole'));
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      label: 'whole',
      uri: `/api/v2/workflows/${body.id}`,
      outcome: 'new',
      revision: 1,
      warnings: [],
    });
    const { states, callbacks, transitions } = await partsOf(server, 'whole');
    expect(activeNames(states)).toEqual(['arrived', 'processed', 'rejected']);
    expect(callbacks).toMatchObject([
      {
        name: 'arrived / check',
        version: 1,
        settings: {
          function: 'http',
          initial_delay: 5,
          run_timeout: 60,
          wait_timeout: 0,
          retry_for: 45,
          retry_first: 5,
          workflow_revision: 1,
          variable_map: { usable: '/body', a: '/b/c' },
        },
      },
    ]);
    expect(transitions).toMatchObject([
      {
        name: 'defined arrived -> processed 1',
        condition: "callbacks['check'].result == 'success'",
        by: 'engine',
        position: 0,
      },
      { name: 'defined arrived -> rejected 1', condition: '', by: 'person', position: 1 },
      { name: 'entry arrived -> arrived 1', condition: '' },
    ]);
    const [written] = await server.sql<{ arguments: string }>(
      `select callback_arguments::text as arguments from callback_versions where callback_id = ${callbacks[0]?.id}`,
    );
    expect(written?.arguments).toBe('{"url":"https://xnat.example.org/check","body":{"z":1,"b":[2]}}');
  });

  it('stores the original text with author and hash, and records the import in the history and as an event', async () => {
    await server.addUserWith('author', 'workflow_manage');
    const { body } = await post(whole('kept'), { as: 'author' });
    const [revision] = await server.sql(
      `select definition, definition_hash, revision, username from workflow_revisions
       join users on users.id = author_id where workflow_id = ${body.id}`,
    );
    expect(revision).toEqual({
      definition: whole('kept'),
      definition_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      revision: 1,
      username: 'author',
    });
    const record = await server.sql(
      `select operation, before, after->>'label' as label, after->'states'->'added' as added,
         (select count(*)::int from events where object_kind = 'workflow' and object_id = ${body.id}) as events
       from history where object_kind = 'workflow' and object_id = ${body.id}`,
    );
    expect(record).toEqual([
      {
        operation: 'importWorkflow',
        before: null,
        label: 'kept',
        added: ['arrived', 'processed', 'rejected'],
        events: 1,
      },
    ]);
  });

  it('stores a layout shortly after the import', async () => {
    const { body } = await post(whole('picture'));
    const layout = async () =>
      (await server.sql<{ layout: object }>(`select layout from workflows where id = ${body.id}`))[0]?.layout;
    await expect.poll(layout).not.toBe(null);
    const { states } = await partsOf(server, 'picture');
    expect(await layout()).toMatchObject({
      revision: 1,
      states: [
        { id: states[0]?.id, layer: 0, slot: 0 },
        { id: states[1]?.id, layer: 1, slot: -0.5 },
        { id: states[2]?.id, layer: 1, slot: 0.5 },
      ],
      drawing: { states: states.map(({ id }) => ({ id })) },
    });
  });

  it('draws a workflow whose layout was stored by a release without drawings', async () => {
    const { body } = await post(whole('undrawn_upgrade'));
    const drawing = async () =>
      (await server.sql(`select layout -> 'drawing' as drawing from workflows where id = ${body.id}`))[0];
    await expect.poll(drawing).toMatchObject({ drawing: { edges: expect.any(Array) } });
    await server.sql(
      `with old as (update workflow_revisions set created_at = now() - interval '2 minutes' where workflow_id = ${body.id})
       update workflows set layout = layout - 'drawing' where id = ${body.id}`,
    );
    await layOutUndrawn(server.database.db);
    expect(await drawing()).toMatchObject({ drawing: { edges: expect.any(Array) } });
  });

  describe('of a graph that cannot be drawn', () => {
    const revision = 1;
    const neverAnswers = new URL(
      "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { for (;;); });",
    );

    it('shows a grid if the drawing exceeds its CPU time, and does not draw it again', async () => {
      const { body } = await post(whole('endless'));
      await expect.poll(async () => (await graphOf(body.id)).layout).toBe('drawn');
      await layOutWorkflow(server.database.db, { id: body.id, revision }, (graph) =>
        runInThread(neverAnswers, graph, { cpuMs: 300, waitMs: 3_600_000 }),
      );
      const graph = await graphOf(body.id);
      expect(graph).toMatchObject({
        layout: 'drawn',
        states: [
          { x: 60, y: 0 },
          { x: 260, y: 0 },
          { x: 260, y: 120 },
        ],
      });
      expect(graph.edges).not.toEqual([]);
      await server.sql(
        `update workflow_revisions set created_at = now() - interval '2 minutes' where workflow_id = ${body.id}`,
      );
      await layOutUndrawn(server.database.db);
      expect(await graphOf(body.id)).toEqual(graph);
    });

    it('shows a grid and reports the error if elkjs fails', async () => {
      const { body } = await post(whole('failing'));
      await expect.poll(async () => (await graphOf(body.id)).layout).toBe('drawn');
      const laidOut = layOutWorkflow(server.database.db, { id: body.id, revision }, () =>
        Promise.reject(new Error('planted')),
      );
      await expect(laidOut).rejects.toThrow('elkjs failed');
      expect(await graphOf(body.id)).toMatchObject({ layout: 'drawn', states: [{ x: 60 }, { x: 260 }, { x: 260 }] });
    });
  });

  it('leaves the layout to a worker if the server stops before the layout is stored', async () => {
    const { body } = await post(whole('undrawn'));
    const layout = async () =>
      (await server.sql<{ layout: object }>(`select layout from workflows where id = ${body.id}`))[0]?.layout;
    await expect.poll(layout).not.toBe(null);
    const stored = await layout();
    await server.sql(`update workflows set layout = null where id = ${body.id}`);
    await layOutUndrawn(server.database.db);
    expect(await layout()).toBe(null);
    await server.sql(
      `update workflow_revisions set created_at = now() - interval '2 minutes' where workflow_id = ${body.id}`,
    );
    await layOutUndrawn(server.database.db);
    expect(await layout()).toEqual(stored);
  });

  it('creates one workflow when sent eight times concurrently, with one 201 response and seven 200 responses', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(whole('at once'))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 200, 200, 200, 201,
    ]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const [count] = await server.sql(
      `select count(*)::int as revisions from workflow_revisions where workflow_id = ${answers[0]?.body.id}`,
    );
    expect(count).toEqual({ revisions: 1 });
  });
});

describe('an invalid file', () => {
  it('is rejected with the line and column of every error, and nothing is saved (V5.2.2)', async () => {
    const before = await importSnapshot(server);
    const file = whole('faulty')
      .replace(/function: http\n.*/, 'function: wait\n        callback_arguments: {}')
      .replace('destination: processed', 'destination: procesed')
      .replace('by: person', 'by: nobody')
      .replace('initial_delay: 5', 'initial_delay: -5');
    const { status, body } = await post(file);
    expect([status, body.code]).toEqual([400, 'invalid_definition']);
    expect(body.errors.map(({ pointer, line, column }: Record<string, unknown>) => [pointer, line, column])).toEqual([
      ['/workflow_definition', 7, 9],
      ['/workflow_definition', 10, 24],
      ['/workflow_definition', 13, 23],
      ['/workflow_definition', 14, 37],
    ]);
    expect(await importSnapshot(server)).toEqual(before);
  });

  it('is also rejected by a dry run', async () => {
    expect((await post('label: x\nstates: []', { query: { dry_run: true } })).status).toBe(400);
  });
});

describe('dry_run', () => {
  const none = { added: [], changed: [], retired: [], revived: [] };

  it('returns 200 with the plan of a new workflow and changes nothing', async () => {
    const before = await importSnapshot(server);
    const { status, body } = await post(`${whole('planned')}external_systems: []\n`, { query: { dry_run: true } });
    expect(status).toBe(200);
    expect(body).toEqual({
      label: 'planned',
      outcome: 'new',
      initial: { before: null, after: 'arrived' },
      states: { ...none, added: ['arrived', 'processed', 'rejected'] },
      callbacks: { ...none, added: ['arrived / check'] },
      transitions: { ...none, added: ['arrived -> processed', 'arrived -> rejected'] },
      affected_states: [],
      strands_experiments: false,
      warnings: [{ code: 'ignored_part', message: expect.stringContaining('external_systems'), line: 17, column: 19 }],
    });
    expect(await importSnapshot(server)).toEqual(before);
  });

  it('returns the parts that an upgrade adds, changes, retires and revives, but changes nothing', async () => {
    await post('label: revised\nstates: [{label: a, transitions: [{destination: b}]}, {label: b}]');
    await post('label: revised\nstates: [{label: a, transitions: [{destination: c}]}, {label: c, freetext: x}]');
    const before = await importSnapshot(server);
    const file =
      'label: revised\ninitial: b\nstates: [{label: a, transitions: [{destination: b}, {destination: d}]}, {label: b}, {label: d}]';
    const { body } = await post(file, { query: { dry_run: true } });
    expect(body).toMatchObject({
      outcome: 'changed',
      initial: { before: 'a', after: 'b' },
      states: { added: ['d'], changed: [], retired: ['c'], revived: ['b'] },
      transitions: { added: ['a -> d'], changed: [], retired: ['a -> c'], revived: ['a -> b'] },
      affected_states: [
        { state: 'a', experiments: 0, open_executions: 0, goes_to: null },
        { state: 'c', experiments: 0, open_executions: 0, goes_to: null },
      ],
    });
    expect(await importSnapshot(server)).toEqual(before);
  });
});
