/**
 * When incidents of queues open and close, and who sees them with which numbers. The tests set times back instead of waiting.
 *
 * @module-tag sql
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, pulledWorkflow as work, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { pulledQueue } from '../../jobs/queue-names.ts';
import { createUnclaimedSweep } from './recover-lost-work.ts';
import { watchQueues } from './watch-queues.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

/** The periodic tasks of a worker. */
const sweep = async () => {
  await createUnclaimedSweep()(engineContext(server, 'reconcile'));
  await watchQueues(engineContext(server, 'reconcile'));
};

/** Lets this much time pass before the next round of the tasks. */
const sweepAfter = async (queue: string, interval: string) => {
  await sweep();
  await world.neglectQueue(queue, interval);
  await sweep();
};

const stalled = { open: true, passed_over: null };

describe('a queue that nothing is taken from', () => {
  it('has one incident after 15 minutes, however many runs wait', async () => {
    const label = await world.importWorkflow(work('stalled'));
    for (let count = 0; count < 3; count++) await world.experimentOf(label);
    await sweepAfter('stalled', '14 minutes');
    expect(await world.queueIncidentsOf('stalled')).toEqual([]);
    await sweepAfter('stalled', '2 minutes');
    await sweep();
    expect(await world.queueIncidentsOf('stalled')).toEqual([stalled]);
  });

  it('has no incident if its runs are delayed', async () => {
    await world.experimentIn(work('delayed', ', initial_delay: 86400'));
    await sweepAfter('delayed', '20 minutes');
    expect(await world.queueIncidentsOf('delayed')).toEqual([]);
  });

  it('loses its incident when a run is claimed', async () => {
    await world.experimentIn(work('claimed'));
    await world.experimentIn(work('claimed'));
    await sweepAfter('claimed', '16 minutes');
    expect(await world.queueIncidentsOf('claimed')).toEqual([stalled]);
    expect(await world.claim('claimed', { max: 1 })).toHaveLength(1);
    expect(await world.queueIncidentsOf('claimed')).toEqual([{ ...stalled, open: false }]);
    await sweep();
    expect(await world.queueIncidentsOf('claimed')).toHaveLength(1);
  });

  it('loses its incident when no run waits any more', async () => {
    const experiment = await world.experimentIn(work('left'));
    await sweepAfter('left', '16 minutes');
    expect(await world.queueIncidentsOf('left')).toEqual([stalled]);
    expect((await world.move(experiment, 'other')).status).toBe(200);
    await sweep();
    expect(await world.queueIncidentsOf('left')).toEqual([{ ...stalled, open: false }]);
  });

  it('announces the incident once to each cohort with waiting experiments', async () => {
    const label = await world.importWorkflow(work('announced'));
    const experiment = await world.experimentOf(label);
    await sweepAfter('announced', '16 minutes');
    await sweep();
    const events = await server.sql(
      `select object_kind, object_id::int, data -> 'kind' as kind, data -> 'experiments' as experiments
       from events where kind = 'openIncident' and data ->> 'queue' = $1`,
      [pulledQueue('announced')],
    );
    expect(events).toEqual([{ object_kind: 'experiment', object_id: experiment, kind: 'unclaimed', experiments: 1 }]);
  });
});

/** Creates experiments and moves all of them at once into a state whose callback uses the queue. */
async function moveInBulk(queue: string, count: number): Promise<void> {
  const run = `  - label: run
    callbacks: [{label: c, function: worker, callback_arguments: {queue: ${queue}}}]
`;
  const label = await world.importWorkflow(
    `initial: old\nstates:\n  - {label: old, transitions: [{destination: run}]}\n${run}`,
  );
  const { id: subject } = await world.subject();
  await server.sql(
    `insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence)
     select subjects.id, subjects.cohort_id, workflows.id, states.id, workflows.label || n, 0
     from subjects cross join workflows join states on states.workflow_id = workflows.id and states.label = 'old'
       cross join generate_series(1, $3) as n
     where subjects.id = $1 and workflows.label = $2`,
    [subject, label, count],
  );
  const body = { workflow_definition: `label: ${label}\nstates:\n${run}`, state_map: { old: 'run' } };
  expect((await server.call('importWorkflow', { body })).status).toBeLessThan(300);
}

describe('a backlog', () => {
  it('raises no incident while something is taken, however long its oldest run waits', async () => {
    await moveInBulk('backlog', 3000);
    await sweep();
    for (let minutes = 0; minutes < 60; minutes += 10) {
      await world.neglectQueue('backlog', '10 minutes');
      expect(await world.claim('backlog', { max: 1 })).toHaveLength(1);
      await sweep();
    }
    const [found] = await server.sql<{ waiting: number }>(
      `select count(*)::int as waiting from callback_executions
       where status = 'queued' and created < now() - interval '50 minutes'`,
    );
    expect(found?.waiting).toBeGreaterThan(2900);
    expect(await world.queueIncidentsOf('backlog')).toEqual([]);
  });
});

/** As if younger runs of its workflow had started. */
const starve = async (queue: string, younger: number) => {
  const label = await world.importWorkflow(work(queue));
  const experiment = await world.experimentOf(label);
  await world.neglectQueue(queue, '2 minutes');
  await sweep();
  await server.sql(
    `insert into queue_starts (queue, workflow_id, bulk, runs, at)
     select $1, workflow_id, false, $3, now() from experiments where id = $2`,
    [pulledQueue(queue), experiment, younger],
  );
  await sweep();
  const { id } = await world.executionOf(experiment, 'c');
  return { experiment, id, label };
};

describe('a run that waits while younger ones are taken', () => {
  it('is found among many if something locks its job', async () => {
    await moveInBulk('locked', 1002);
    await world.neglectQueue('locked', '2 minutes');
    await sweep();
    const passedOver = await server.database.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: number }>`
        select progress.oldest_execution_id::int as id from pgboss.job_common as job
        join queue_progress as progress on progress.queue = job.name and (job.data ->> 'execution_id')::bigint = oldest_execution_id
        where job.name = ${pulledQueue('locked')} for update of job`.execute(tx);
      for (let claims = 0; claims < 10; claims++) await world.claim('locked', { max: 100 });
      return rows[0]?.id;
    });
    await sweep();
    expect(await world.queueIncidentsOf('locked')).toEqual([{ open: true, passed_over: passedOver }]);
    expect(await world.claim('locked', { max: 1 })).toMatchObject([{ execution: { id: passedOver } }]);
    expect(await world.queueIncidentsOf('locked')).toEqual([{ open: false, passed_over: passedOver }]);
  });

  it('has none after 999 of them', async () => {
    await starve('nearly', 999);
    expect(await world.queueIncidentsOf('nearly')).toEqual([]);
  });

  it('keeps the incident when another run is taken, and loses it with its own start', async () => {
    const { id, label } = await starve('kept', 1000);
    const other = await world.experimentOf(label);
    await server.sql(
      `update pgboss.job_common set start_after = now() + interval '1 hour' where data ->> 'execution_id' = $1::text`,
      [id],
    );
    expect(await world.claim('kept')).toMatchObject([{ experiment: { id: other } }]);
    await sweep();
    expect(await world.queueIncidentsOf('kept')).toEqual([{ open: true, passed_over: id }]);
    await server.sql(`update pgboss.job_common set start_after = now() where data ->> 'execution_id' = $1::text`, [id]);
    expect(await world.claim('kept')).toMatchObject([{ execution: { id } }]);
    expect(await world.queueIncidentsOf('kept')).toEqual([{ open: false, passed_over: id }]);
  });
});

const cohortsOf = async (ids: number[]) => {
  const rows = await server.sql<{ cohort_id: number }>(
    'select cohort_id::int from experiments where id = any($1) order by id',
    [ids],
  );
  return rows.map(({ cohort_id }) => cohort_id);
};

const scopedUser = async (username: string, ids: number[]) => {
  const user = await server.addUserWith(username, 'sample_add');
  await server.sql(
    `with removed as (delete from user_roles where user_id = $1 returning role_id)
     insert into cohort_roles (user_id, role_id, cohort_id)
     select $1, removed.role_id, cohort_id from removed cross join unnest($2::bigint[]) as cohort_id`,
    [user, ids],
  );
};

describe('users', () => {
  const queue = 'shared queue';
  let experiments: number[];
  let cohorts: number[];
  beforeAll(async () => {
    const label = await world.importWorkflow(work(`"${queue}"`));
    experiments = [];
    for (let count = 0; count < 3; count++) experiments.push(await world.experimentOf(label));
    cohorts = await cohortsOf(experiments);
    await sweepAfter(queue, '16 minutes');
    await scopedUser('of_first', cohorts.slice(0, 1));
    await scopedUser('of_two', cohorts.slice(1));
    await scopedUser('of_none', [(await world.subject()).cohort.id]);
  });

  const seenBy = async (as: string) => {
    const { body } = await server.call('listIncidents', { query: { kind: 'unclaimed' }, as });
    return body.incidents.filter((incident: { queue: string }) => incident.queue === queue);
  };

  it.each([
    ['admin', 3, 0],
    ['of_first', 1, 0],
    ['of_two', 2, 1],
  ])('%s sees the incident with %i experiments of their own', async (as, count, first) => {
    const wait = count === 1 ? '1 of your experiments waits' : `${count} of your experiments wait`;
    expect(await seenBy(as)).toMatchObject([
      {
        kind: 'unclaimed',
        experiments: count,
        experiment: { id: experiments[first] },
        detail: `Queue ${queue}: no run was taken for 15 minutes. ${wait}. Check that a worker takes runs from this queue.`,
        closed_at: null,
      },
    ]);
  });

  it('do not see it without an experiment of their own', async () => {
    expect(await seenBy('of_none')).toEqual([]);
    const { body } = await server.call('listAttention', { as: 'of_none' });
    expect(body).toMatchObject({ items: [], counts: { blocked: 0, experiments: 0 } });
  });

  it('see one line on the attention page, which counts all their experiments', async () => {
    const { body } = await server.call('listAttention', { query: { kind: 'blocked' }, as: 'of_two' });
    expect(body.items).toMatchObject([{ queue, experiments: 2, experiment: { id: experiments[1] }, kind: 'blocked' }]);
    expect(body.counts).toMatchObject({ blocked: 1, experiments: 2 });
  });

  it('see only the experiments of the cohort that they filter by', async () => {
    const { body } = await server.call('listAttention', { query: { cohort_id: cohorts[2] ?? 0 }, as: 'of_two' });
    expect(body.items).toMatchObject([{ experiments: 1, experiment: { id: experiments[2] } }]);
  });
});

describe('incidents of single runs, from the previous release', () => {
  it('are closed', async () => {
    const id = await world.experimentIn(work('single'));
    await server.sql(`insert into incidents (experiment_id, kind) values ($1, 'unclaimed')`, [id]);
    await sweep();
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'unclaimed', open: false }]);
  });
});
