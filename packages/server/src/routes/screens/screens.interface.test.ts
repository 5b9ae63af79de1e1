/**
 * Operations for pages of the web application (docs/decisions/0023). The matrix covers their outcomes.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execution } from '../../../testing/cases/callbacks.ts';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, type Parts, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

type Query = NonNullable<Parts['query']>;

/** Follows the links to the next page until the last one. */
async function pages(name: 'listExperimentRows' | 'listAttention', key: string, query: Query) {
  const found: Record<string, unknown>[][] = [];
  for (let after: string | null = '0'; after !== null;) {
    const { body, headers } = await server.call(name, { query: { ...query, after } });
    found.push(body[key]);
    after = /after=(\d+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
  }
  return found;
}

/** An execution that started some hours ago. */
async function startedExecution(status: 'running' | 'waiting', hours: number, more = '') {
  const { id, actionId, experiment } = await execution(world);
  await server.sql(
    `update callback_executions set status = $2, created = now() - $3 * interval '1 hour', run_start = now() - $3 * interval '1 hour',
       wait_start = case when $2 = 'waiting' then now() - $3 * interval '1 hour' end ${more} where id = $1`,
    [id, status, hours],
  );
  return { id, actionId, experiment };
}

/** Adds a second waiting execution to the latest action. */
const addWaitingExecution = (experimentId: number) =>
  server.sql(
    `with callback as (
       insert into callbacks (state_id, label) select state_id, 'other' from experiments where id = $1 returning id),
     version as (
       insert into callback_versions (callback_id, version, workflow_revision, label, function)
       select id, 1, 1, 'other', 'wait' from callback returning callback_id)
     insert into callback_executions (action_id, callback_id, callback_version, status, wait_start)
     select actions.id, callback_id, 1, 'waiting', now() + interval '1 second' from version, actions join experiments
       on experiments.id = experiment_id and action_sequence = sequence where experiments.id = $1`,
    [experimentId],
  );

const incident = async (experimentId: number, kind: string, executionId: number | null, detail: string) => {
  const [row] = await server.sql<{ id: number }>(
    `insert into incidents (experiment_id, kind, execution_id, detail) values ($1, $2, $3, $4) returning id::int`,
    [experimentId, kind, executionId, detail],
  );
  return row?.id;
};

/** Moves the subjects of the experiments to a new cohort. */
const moveToNewCohort = async (experiments: { subjectId: number }[]) => {
  const { id } = await world.cohort();
  const subjects = experiments.map(({ subjectId }) => subjectId);
  await server.sql('update subjects set cohort_id = $1 where id = any($2)', [id, subjects]);
  return id;
};

const labelsOfRows = async (label: string) =>
  (await pages('listExperimentRows', 'experiments', { label, limit: 2 })).map((rows) =>
    rows.map((row) => row['label']),
  );

describe('GET /experiment_rows', () => {
  it('filtered by a label prefix returns rows in label order across pages', async () => {
    const { id: subject_id } = await world.subject();
    const { label: workflow_label } = await world.workflow();
    for (const label of ['Zeta-3', 'zeta-1', 'ZETA-2', 'zeta', 'eta-0', 'Züri', 'züri-2'])
      await server.call('createExperiment', { body: { label, subject_id, workflow_label } });
    expect(await labelsOfRows('zEtA')).toEqual([
      ['zeta', 'zeta-1'],
      ['ZETA-2', 'Zeta-3'],
    ]);
    expect(await labelsOfRows('zeta-')).toEqual([['zeta-1', 'ZETA-2'], ['Zeta-3']]);
    expect(await labelsOfRows('ZÜ')).toEqual([[]]);
    expect(await labelsOfRows('Zü')).toEqual([['Züri', 'züri-2']]);
    expect(await labelsOfRows('%')).toEqual([[]]);
  });

  it('filtered by status returns an experiment once, and only for executions of its latest action', async () => {
    const { experiment } = await startedExecution('waiting', 1);
    const left = await startedExecution('waiting', 1);
    await server.call('placeExperiment', {
      params: { id: left.experiment.id },
      body: { state: 'rejected', reason: 'moved on' },
    });
    await addWaitingExecution(experiment.id);
    const cohort_id = await moveToNewCohort([experiment, left.experiment]);
    const [page] = await pages('listExperimentRows', 'experiments', { status: 'waiting', cohort_id });
    const waits = { status: 'waiting' };
    expect(page).toMatchObject([{ id: experiment.id, executions: [waits, waits] }]);
    expect(page).toHaveLength(1);
  });

  it('filtered by incident returns an experiment with several open incidents once', async () => {
    const [one, other] = [await world.experiment(), await world.experiment()];
    await incident(one.id, 'failed', null, '');
    await incident(one.id, 'brake', null, '');
    const cohort_id = await moveToNewCohort([one, other]);
    const found = async (wanted: string) =>
      (await server.call('listExperimentRows', { query: { cohort_id, incident: wanted } })).body.experiments;
    expect(await found('any')).toMatchObject([{ id: one.id, incidents: [{ kind: 'failed' }, { kind: 'brake' }] }]);
    expect(await found('none')).toMatchObject([{ id: other.id, incidents: [] }]);
    expect(await found('brake')).toMatchObject([{ id: one.id }]);
    expect(await found('timed_out')).toEqual([]);
  });

  it('returns the time at which the experiment entered its state, regardless of later retries', async () => {
    const { id, actionId, experiment } = await execution(world);
    await server.call('updateCallbackExecution', { params: { id }, body: { status: 'finished', result: 'failed' } });
    await server.call('retryExperiment', { params: { id: experiment.id }, body: { reason: 'the archive is back' } });
    const { body: first } = await server.call('getAction', { params: { id: actionId } });
    const query = { subject_id: experiment.subjectId };
    const [row] = (await server.call('listExperimentRows', { query })).body.experiments;
    expect(row.entered_at).toBe(first.start_time);
    expect(row.action_id).toBeGreaterThan(actionId);
    expect(row.executions).toMatchObject([{ callback: 'check', status: 'queued', attempt: 0 }]);
  });
});

describe('GET /attention', () => {
  it('lists incidents, then overdue waits, then retries, and counts each experiment once', async () => {
    const failed = await startedExecution('running', 2);
    const overdue = await startedExecution('waiting', 30);
    const recent = await startedExecution('waiting', 2);
    const retried = await startedExecution(
      'running',
      1,
      `, failures = 1, attempt = 1, last_error = 'http 503 from XNAT', next_attempt_at = now()`,
    );
    const running = await startedExecution('running', 1);
    const timedOut = await incident(failed.experiment.id, 'timed_out', failed.id, 'check took too long.');
    const blocked = await incident(failed.experiment.id, 'no_way_on', null, 'All went well, but no condition holds.');
    const cohort_id = await moveToNewCohort(
      [failed, overdue, recent, retried, running].map(({ experiment }) => experiment),
    );
    const items = (await pages('listAttention', 'items', { cohort_id, limit: 1 })).flat();
    expect(items).toMatchObject([
      { kind: 'timed_out', incident_id: timedOut, what: 'check took too long.', state: { label: 'checked' } },
      { kind: 'blocked', incident_id: blocked, execution_id: null, what: 'All went well, but no condition holds.' },
      { kind: 'waiting', incident_id: null, execution_id: overdue.id, what: 'check: no report yet' },
      { kind: 'retrying', execution_id: retried.id, what: 'check: http 503 from XNAT', attempt: 1 },
    ]);
    expect(items).toHaveLength(4);
    const { body } = await server.call('listAttention', { query: { cohort_id, limit: 0 } });
    const counts = { decide: 0, failed: 0, timed_out: 1, waiting: 1, blocked: 1, retrying: 1, experiments: 2 };
    expect(body).toMatchObject({ items: [], counts, states: [] });
    const sooner = await server.call('listAttention', { query: { cohort_id, kind: 'waiting', waiting_hours: 1 } });
    expect(sooner.body).toMatchObject({
      items: [{ execution_id: overdue.id }, { execution_id: recent.id }],
      counts: { waiting: 2 },
    });
  });

  it('does not list waiting executions of a previous action', async () => {
    const { experiment } = await startedExecution('waiting', 48);
    const cohort_id = await moveToNewCohort([experiment]);
    const body = { state: 'rejected', reason: 'moved on' };
    await server.call('placeExperiment', { params: { id: experiment.id }, body });
    const answer = await server.call('listAttention', { query: { cohort_id } });
    expect(answer.body).toMatchObject({ items: [], counts: { waiting: 0, experiments: 0 } });
  });

  it('returns counts only if X-Fields requests them', async () => {
    const { body } = await server.call('listAttention', { query: { limit: 1 }, fields: 'items{id}' });
    expect(Object.keys(body)).toEqual(['items']);
  });
});

describe('GET /experiments/{id}/timeline', () => {
  it('names the actor of each action and the worker of the latest attempt', async () => {
    await server.sql(`update users set name = 'Ada Admin' where username = 'admin'`);
    const { id, actionId, experiment } = await execution(world);
    await server.sql(
      `insert into execution_attempts (execution_id, attempt, secret_hash, worker, ended_at) values
         ($1, 1, decode(repeat('00', 32), 'hex'), 'first', now() + interval '1 hour'), ($1, 2, decode(repeat('00', 32), 'hex'), 'second', null)`,
      [id],
    );
    await server.sql('update callback_executions set attempt = 2 where id = $1', [id]);
    await server.call('updateCallbackExecution', { params: { id }, body: { status: 'finished', result: 'failed' } });
    await server.call('retryExperiment', { params: { id: experiment.id }, body: { reason: 'again' } });
    await server.call('placeExperiment', { params: { id: experiment.id }, body: { state: 'rejected', reason: 'no' } });
    await server.sql(`update actions set actor_kind = 'execution', actor_id = $2 where id = $1`, [actionId, id]);
    const { body } = await server.call('getExperimentTimeline', { params: { id: experiment.id } });
    const admin = { kind: 'user', name: 'Ada Admin' };
    expect(body.actions).toMatchObject([
      { sequence: 4, kind: 'correction', to: { label: 'rejected' }, actor: admin, executions: [] },
      { sequence: 3, kind: 'retry', actor: admin, freetext: 'again', executions: [{ worker: '', attempt: 0 }] },
      {
        sequence: 2,
        kind: 'move',
        actor: { kind: 'execution', id, name: 'check' },
        executions: [{ worker: 'second' }],
      },
      { sequence: 1, kind: 'entry', from: { label: 'arrived' }, to: { label: 'arrived' } },
    ]);
    const older = await server.call('getExperimentTimeline', {
      params: { id: experiment.id },
      query: { before: 4, limit: 2 },
    });
    expect(older.body.actions.map(({ sequence }: { sequence: number }) => sequence)).toEqual([3, 2]);
  });
});

describe('GET /workflows/{id}/graph', () => {
  it('returns the stored drawing, and whether the layout of a new revision is pending', async () => {
    const { id } = await world.workflow();
    const graph = async () => (await server.call('getWorkflowGraph', { params: { id } })).body;
    await expect.poll(async () => (await graph()).layout).toBe('drawn');
    const drawn = await graph();
    const [first, ...next] = drawn.states;
    for (const { x } of next) expect(x).toBeGreaterThan(first.x + first.width);
    expect(drawn.edges.map(({ source_id }: { source_id: number }) => source_id)).toEqual([first.id, first.id]);
    expect(drawn.width).toBeLessThan(1170);
    await server.sql('update workflows set revision = revision + 1 where id = $1', [id]);
    expect(await graph()).toMatchObject({ ...drawn, layout: 'pending', revision: 2 });
  });
});

describe('GET /search', () => {
  it('finds cohorts and states that are not retired, ordered by label, up to the limit', async () => {
    for (const label of ['Quebec', 'quartz', 'QUAD']) await server.call('createCohort', { body: { label } });
    const labels = async (query: Query, key: string) =>
      (await server.call('search', { query })).body[key].map((row: { label: string }) => row.label);
    expect(await labels({ q: 'qu' }, 'cohorts')).toEqual(['QUAD', 'quartz', 'Quebec']);
    expect(await labels({ q: 'QUA', limit: 1 }, 'cohorts')).toEqual(['QUAD']);
    expect(await labels({ q: 'quartz', limit: 0 }, 'cohorts')).toEqual([]);
    const { states, label } = await world.workflow();
    await server.sql('update states set retired = true where id = $1', [states['rejected']]);
    const { body } = await server.call('search', { query: { q: 'REJ', limit: 100 } });
    expect(body.states.map(({ workflow }: { workflow: { label: string } }) => workflow.label)).not.toContain(label);
    expect(body.states.length).toBeGreaterThan(0);
  });

  it('finds experiments by a part of their label or an external ID, after those whose label starts with it', async () => {
    const { subjectId, workflow } = await world.experiment();
    const create = async (label: string) => {
      const { body } = await server.call('createExperiment', {
        body: { label, subject_id: subjectId, workflow_label: workflow.label },
      });
      return body.id as number;
    };
    const [inside, first, linked] = [await create('pre-zq77-a'), await create('ZQ77-b'), await create('elsewhere')];
    const system = await world.system();
    await server.call('createExternalExperimentLink', {
      body: { experiment_id: linked, external_system: system.id, external_id: 'XNAT_EZQ77' },
    });
    const found = async (q: string, limit = 10) =>
      (await server.call('search', { query: { q, limit } })).body.experiments.map(
        ({ id, external_id: externalId }: { id: number; external_id: string | null }) => [id, externalId],
      );
    expect(await found('zq77')).toEqual([
      [first, null],
      [linked, 'XNAT_EZQ77'],
      [inside, null],
    ]);
    expect(await found('zq77', 2)).toHaveLength(2);
    expect(await found('_ezq77')).toEqual([[linked, 'XNAT_EZQ77']]);
  });
});
