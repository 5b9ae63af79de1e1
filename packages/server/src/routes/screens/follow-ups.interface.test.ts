/**
 * Assignments, snoozes and what is new, in GET /attention.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: EngineWorld;
let me: number;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  me = (await server.sql<{ id: number }>(`select id::int from users where username = 'admin'`))[0]?.id ?? 0;
});
afterAll(() => server.stop());

const states = `initial: qc
states:
  - {label: qc, decision: {due: 3d}, transitions: [{destination: again, title: Accept}, {destination: run, by: person}]}
  - {label: again, decision: {}, transitions: [{destination: end}]}
  - label: run
    callbacks: [{label: c, function: worker, callback_arguments: {queue: follow_ups}}]
    transitions: [{destination: end, condition: "callbacks['c'].result == 'success'", by: engine}, {destination: qc, by: person}]
  - {label: end}
`;

async function study() {
  const workflow = await world.importWorkflow(states);
  const cohort = (await server.call('createCohort', { body: { label: world.fresh('cohort') } })).body;
  const experiment = async (...path: string[]): Promise<number> => {
    const subject = await server.call('createSubject', {
      body: { label: world.fresh('subject'), cohort_label: cohort.label },
    });
    const body = { label: world.fresh('experiment'), subject_id: subject.body.id, workflow_label: workflow };
    const { id } = (await server.call('createExperiment', { body })).body;
    for (const state of path) await world.move(id, state);
    return id;
  };
  const failed = async () => {
    const id = await experiment('run');
    await world.finish((await world.executionOf(id, 'c')).id, 'failed');
    return id;
  };
  const attention = async (query: object = {}) =>
    (await server.call('listAttention', { query: { cohort_id: cohort.id, ...query } })).body;
  const listed = async (query: object = {}) =>
    (await attention(query)).items.map((item: { experiment: { id: number } }) => item.experiment.id);
  /** The sums over the states of the graph. */
  const inGraph = async (cohortId: number) => {
    const { body } = await server.call('getWorkflowByLabel', { params: { label: workflow } });
    const { body: counts } = await server.call('getWorkflowCounts', {
      params: { id: body.id },
      query: { cohort_id: cohortId },
    });
    const sum = (name: 'decide' | 'failed') =>
      counts.states.reduce((all: number, state: Record<string, number>) => all + (state[name] ?? 0), 0);
    return { decide: sum('decide'), failed: sum('failed') };
  };
  return { cohort, experiment, failed, attention, listed, inGraph };
}

const later = '2999-01-01T08:00:00.000Z';
const assign = (id: number, userId: number | null) =>
  server.call('assignExperiment', { params: { id }, body: { user_id: userId } });
const snooze = (id: number, until: string | null = later, note = 'The site answers on Thursday.') =>
  server.call('snoozeExperiment', { params: { id }, body: { until, note } });
const historyOf = (id: number, operation: string) =>
  server.sql<{ before: object; after: object }>(
    `select before, after from history_with_values where operation = $2 and chain = 'experiment' and chain_id = $1 order by id`,
    [id, operation],
  );

/** A user with a role in one cohort. */
async function userOf(cohortId: number | null): Promise<number> {
  const username = world.fresh('user');
  const [user] = await server.sql<{ id: number }>(
    `insert into users (username, username_key, email, email_key, name, active) values ($1, $1, $1 || '@x.org', $1 || '@x.org', $1, true)
     returning id::int`,
    [username],
  );
  if (cohortId !== null) {
    await server.sql(
      `insert into cohort_roles (user_id, role_id, cohort_id) select $1, min(id), $2 from roles where cardinality(permissions) > 0`,
      [user?.id, cohortId],
    );
  }
  return user?.id ?? 0;
}

describe('an assignment', () => {
  it('is shown with the item, kept by a move, and selects items of every kind', async () => {
    const { cohort, experiment, failed, attention, listed } = await study();
    const [mine, open, broken] = [await experiment(), await experiment(), await failed()];
    const user = await userOf(cohort.id);
    for (const id of [mine, broken]) expect((await assign(id, user)).status).toBe(200);
    expect((await attention({ assignee: user })).counts).toMatchObject({ decide: 1, failed: 1, experiments: 2 });
    expect(await listed({ assignee: user })).toEqual([mine, broken]);
    expect(await listed({ assignee: 'nobody' })).toEqual([open]);
    expect(await listed({ assignee: 'me' })).toEqual([]);
    await world.move(mine, 'again');
    expect((await attention({ assignee: user })).items[0]).toMatchObject({
      experiment: { id: mine },
      assignee: { id: user },
    });
  });

  it('is recorded once, and removed with null', async () => {
    const { experiment } = await study();
    const id = await experiment();
    await assign(id, me);
    await assign(id, me);
    expect((await assign(id, null)).body).toMatchObject({ assignee: null });
    expect(await historyOf(id, 'assignExperiment')).toMatchObject([
      { before: { assignee_id: null }, after: { assignee_id: me } },
      { before: { assignee_id: me }, after: { assignee_id: null } },
    ]);
  });

  it('is rejected for a user who cannot read the cohort or is not active', async () => {
    const { cohort, experiment } = await study();
    const id = await experiment();
    const [stranger, former] = [await userOf(null), await userOf(cohort.id)];
    await server.sql('update users set active = false where id = $1', [former]);
    for (const user of [stranger, former]) expect((await assign(id, user)).status).toBe(400);
    const { users } = (await server.call('getAssignees', { params: { id: cohort.id } })).body;
    const ids = new Set(users.map((user: { id: number }) => user.id));
    expect([ids.has(me), ids.has(stranger), ids.has(former)]).toEqual([true, false, false]);
  });
});

describe('a snooze', () => {
  it('leaves an experiment out of the list and the counts until its time', async () => {
    const { cohort, experiment, failed, attention, listed, inGraph } = await study();
    const [decision, broken, other] = [await experiment(), await failed(), await experiment()];
    for (const id of [decision, broken]) await snooze(id);
    expect(await listed()).toEqual([other]);
    const { counts, states: lines } = await attention();
    expect(counts).toMatchObject({ decide: 1, failed: 0, experiments: 1, snoozed: 2, moving: 0, total: 3 });
    expect(await inGraph(cohort.id)).toEqual({ decide: 1, failed: 0 });
    expect(lines).toMatchObject([{ experiments: 1 }]);
    expect(await listed({ only: 'snoozed' })).toEqual([decision, broken]);
    const next = (await server.call('getExperimentDecision', { params: { id: other } })).body;
    const all = (await server.call('listAttention', { query: { kind: 'decide' } })).body.items;
    const place = all.findIndex((item: { experiment: { id: number } }) => item.experiment.id === other);
    expect([next.position, next.total, next.previous?.id]).toEqual([
      place + 1,
      all.length,
      all[place - 1]?.experiment.id,
    ]);
    await server.sql(`update follow_ups set snoozed_until = now() - interval '1 second' where experiment_id = $1`, [
      decision,
    ]);
    expect(await listed()).toEqual([decision, other]);
  });

  it('does not cover what begins later: a decision after a move, or another failure', async () => {
    const { experiment, failed, listed } = await study();
    const [decision, broken] = [await experiment(), await failed()];
    for (const id of [decision, broken]) await snooze(id);
    expect(await listed()).toEqual([]);
    await world.move(decision, 'again');
    await server.call('retryExperiment', { params: { id: broken }, body: {} });
    await world.finish((await world.executionOf(broken, 'c')).id, 'failed');
    expect(await listed()).toEqual([decision, broken]);
    const { body } = await server.call('getExperimentOverview', { params: { id: decision } });
    expect(body.snooze).toBeNull();
  });

  it('leaves an experiment its decision, but no place among the others', async () => {
    const { experiment } = await study();
    const id = await experiment();
    await snooze(id);
    const { body } = await server.call('getExperimentDecision', { params: { id } });
    expect([body.waiting, body.position]).toEqual([true, null]);
  });

  it('is ended by null, and recorded with its note', async () => {
    const { experiment, listed } = await study();
    const id = await experiment();
    await snooze(id);
    expect((await server.call('getExperimentOverview', { params: { id } })).body.snooze).toMatchObject({
      until: later,
      note: 'The site answers on Thursday.',
      by: { id: me },
    });
    await snooze(id, null);
    expect(await listed()).toEqual([id]);
    expect(await historyOf(id, 'snoozeExperiment')).toMatchObject([
      { before: { snooze_note: null }, after: { snooze_note: 'The site answers on Thursday.', snoozed_until: later } },
      { before: { snoozed_until: later }, after: { snoozed_until: null } },
    ]);
  });
});

const visit = async () => (await server.call('visitAttention', {})).body.new_since;
const wait = (minutes: number) =>
  server.sql(`update attention_visits set last_at = last_at - $1 * interval '1 minute'`, [minutes]);

describe('a visit', () => {
  it('makes new what began after the last request of the visit before', async () => {
    await server.sql('delete from attention_visits');
    const { experiment, failed, attention, listed } = await study();
    await experiment();
    expect([await visit(), (await attention()).counts.new]).toEqual([null, 0]);
    await wait(20);
    expect(await visit()).toBeNull();
    await wait(40);
    const since = await visit();
    await server.sql(
      `update experiments set resting_since = now() - interval '1 day', version = version + 1 where state_id in (
       select state_id from experiments group by state_id) and resting_since < now()`,
    );
    const [decision, broken] = [await experiment(), await failed()];
    const { items, counts, new_since } = await attention();
    expect([new_since, counts.new]).toEqual([since, 2]);
    expect(items.map((item: { is_new: boolean }) => item.is_new)).toEqual([false, true, true]);
    expect(await listed({ only: 'new' })).toEqual([decision, broken]);
    expect(await visit()).toBe(since);
  });
});
