/**
 * import-workflow and experiments in removed states: the import is rejected unless `state_map` names their new states. The
 * moves are recorded like all other moves.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionsOf, insertExperiment, positionOf, stateId } from '../../../testing/rows/inserted-experiments.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { wrongCounts } from '../../../testing/rows/true-counts.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.sql("insert into cohorts (label) values ('c')");
  await server.sql("insert into subjects (cohort_id, label) values (1, 's')");
});
afterAll(() => server.stop());

const post = (workflow_definition: string, state_map?: Record<string, string>, dry_run = false) =>
  server.call('importWorkflow', {
    body: { workflow_definition, ...(state_map && { state_map }) },
    ...(dry_run && { query: { dry_run } }),
  });

const call = (label: string, more = '') => `{label: ${label}, function: http, callback_arguments: {url: x}${more}}`;
const file = (label: string, ...states: string[]) =>
  `label: ${label}\ninitial: a\nstates:\n${states.map((state) => `  - ${state}\n`).join('')}`;
const before = (label: string) =>
  file(
    label,
    '{label: a, transitions: [{destination: b}]}',
    `{label: b, callbacks: [${call('one')}, ${call('two')}, ${call('three')}]}`,
  );
const rest = (label: string) => file(label, '{label: a, transitions: [{destination: c}]}', '{label: c}');
const busy = (label: string) =>
  file(
    label,
    '{label: a, transitions: [{destination: c}]}',
    `{label: c, callbacks: [${call('first')}, ${call('later', ', initial_delay: 9')}]}`,
  );

const everything = () =>
  server.sql(
    `select (select jsonb_agg(to_jsonb(w) - 'layout' order by id) from workflows w) as workflows,
            (select jsonb_agg(s order by id) from states s) as states, (select jsonb_agg(t order by id) from transitions t) as transitions,
            (select jsonb_agg(e order by id) from experiments e) as experiments, (select jsonb_agg(a order by id) from actions a) as actions,
            (select jsonb_agg(x order by id) from callback_executions x) as executions, (select count(*) from history) as history`,
  );

const isWaiting = async () => (await server.sql('select from pg_locks where not granted')).length > 0;

describe('an import that would strand experiments', () => {
  it('returns 409 with the plan and a hint to use state_map, and changes nothing', async () => {
    await post(before('strands'));
    await insertExperiment(server, 'strands', 'b', ['running', 'queued', 'finished']);
    await insertExperiment(server, 'strands', 'b');
    const stored = await everything();
    const { status, body } = await post(rest('strands'));
    expect([status, body.code]).toEqual([409, 'would_strand']);
    expect(body.detail).toBe(
      '2 experiments are in states that the new definition does not have: "b" (2). Map these states to others, such as ' +
        '{"state_map": {"b":"..."}}. Nothing was changed. The import would make these changes: added states: c; retired states: b; ' +
        'retired callbacks: b / one, b / two, b / three; added transitions: a -> c; retired transitions: a -> b. ' +
        'Use dry_run to see the whole plan.',
    );
    expect(body.errors).toEqual([
      {
        pointer: '/state_map/b',
        detail:
          '"b" is removed, but 2 experiments are in it, with 2 open executions. Map it to another state, or keep it in the definition.',
      },
    ]);
    expect(await everything()).toEqual(stored);
  });

  it('returns 200 and the affected states for a dry run, both with and without state_map', async () => {
    await post(before('planned'));
    await insertExperiment(server, 'planned', 'b', ['queued']);
    const stored = await everything();
    const { status, body } = await post(rest('planned'), undefined, true);
    expect([status, body.strands_experiments]).toEqual([200, true]);
    expect(body.affected_states).toEqual([
      { state: 'a', experiments: 0, open_executions: 0, goes_to: null },
      { state: 'b', experiments: 1, open_executions: 1, goes_to: null },
    ]);
    const saved = await post(rest('planned'), { b: 'c' }, true);
    expect(saved.body).toMatchObject({
      strands_experiments: false,
      affected_states: [{ state: 'a' }, { state: 'b', experiments: 1, goes_to: 'c' }],
    });
    expect(await everything()).toEqual(stored);
  });
});

describe('state_map', () => {
  it('supersedes the previous action, skips executions that have not started and creates the executions of the new state', async () => {
    await post(before('busy'));
    const open = await insertExperiment(server, 'busy', 'b', ['running', 'queued', 'waiting']);
    const ended = await insertExperiment(server, 'busy', 'b', ['finished', 'skipped']);
    const stays = await insertExperiment(server, 'busy', 'a');
    const { status, body } = await post(busy('busy'), { b: 'c' });
    expect([status, body.outcome, body.revision]).toEqual([200, 'changed', 2]);

    expect([await positionOf(server, open), await positionOf(server, ended), await positionOf(server, stays)]).toEqual([
      { state: 'c', version: 2, sequence: 2 },
      { state: 'c', version: 2, sequence: 2 },
      { state: 'a', version: 1, sequence: 1 },
    ]);
    const [admin] = await server.sql<{ id: number }>("select id::int from users where username = 'admin'");
    const move = {
      sequence: 2,
      kind: 'correction',
      source: 'b',
      destination: 'c',
      success: false,
      return_value: '',
      actor_kind: 'user',
      actor_id: admin?.id,
      freetext: 'Moved by the import of workflow revision 2, which removed the state.',
      ended: false,
      executions: ['first queued', 'later created'],
    };
    const [left, made] = await actionsOf(server, open);
    expect(made).toEqual(move);
    expect(left).toMatchObject({
      success: false,
      ended: true,
      executions: ['one running', 'two skipped', 'three waiting'],
    });
    const [{ id } = { id: 0 }] = await server.sql<{ id: number }>(
      `select id::int from actions where experiment_id = ${open} and sequence = 2`,
    );
    expect(JSON.parse((left as { return_value: string }).return_value)).toEqual({ superseded_by: id });

    const [before1, after1] = await actionsOf(server, ended);
    expect(before1).toMatchObject({ return_value: '', ended: false, executions: ['one finished', 'two skipped'] });
    expect(after1).toEqual(move);
    expect(await actionsOf(server, stays)).toHaveLength(1);
  });

  it('ends the action immediately if the new state has no callbacks', async () => {
    await post(before('rests'));
    const experiment = await insertExperiment(server, 'rests', 'b');
    await post(rest('rests'), { b: 'c' });
    expect((await actionsOf(server, experiment))[1]).toMatchObject({
      ended: true,
      success: true,
      return_value: 'No callback for state',
      executions: null,
    });
  });

  it('records each move in the history and as an event, and closes the incidents of the experiment', async () => {
    await post(before('records'));
    const experiment = await insertExperiment(server, 'records', 'b', ['finished']);
    await server.sql(`insert into incidents (experiment_id, kind) values (${experiment}, 'no_way_on')`);
    await post(rest('records'), { b: 'c' });
    const [record] = await server.sql(
      `select operation, before, after->>'state' as state, reason, (after->>'action_id')::int = (select max(id) from actions where experiment_id = ${experiment}) as of_action,
         (select data->>'state' || ' ' || cohort_id from events where object_kind = 'experiment' and object_id = ${experiment}) as event,
         (select count(*)::int from incidents where experiment_id = ${experiment} and closed_at is null) as open
       from history_with_values where object_kind = 'experiment' and object_id = ${experiment}`,
    );
    expect(record).toEqual({
      operation: 'importWorkflow',
      before: { state: 'b' },
      state: 'c',
      reason: 'Moved by the import of workflow revision 2, which removed the state.',
      of_action: true,
      event: 'c 1',
      open: 0,
    });
  });

  it('maps several states to different states, including one that the import revives', async () => {
    const branching = '{label: a, transitions: [{destination: b}, {destination: d}]}';
    await post(rest('several'));
    await post(file('several', branching, '{label: b}', '{label: d}'));
    const [one, other] = [
      await insertExperiment(server, 'several', 'b'),
      await insertExperiment(server, 'several', 'd'),
    ];
    expect((await post(rest('several'), { b: 'c', d: 'a' })).status).toBe(200);
    expect([await positionOf(server, one), await positionOf(server, other)]).toMatchObject([
      { state: 'c' },
      { state: 'a' },
    ]);
  });

  it('reuses the correction transition between the same two states', async () => {
    await post(before('again'));
    const experiment = await insertExperiment(server, 'again', 'b');
    for (const round of [1, 2]) {
      expect((await post(rest('again'), { b: 'c' })).body.outcome).toBe('changed');
      expect(await positionOf(server, experiment)).toMatchObject({ state: 'c', sequence: round * 2 });
      expect((await post(before('again'), { c: 'b' })).body.outcome).toBe('changed');
      expect(await positionOf(server, experiment)).toMatchObject({ state: 'b', sequence: round * 2 + 1 });
      const [count] = await server.sql(
        `select count(*)::int as corrections from transitions join workflows on workflows.id = workflow_id
         where workflows.label = 'again' and kind = 'correction'`,
      );
      expect(count).toEqual({ corrections: 2 });
    }
  });

  it('rejects unknown labels with 400, suggests the nearest label and changes nothing', async () => {
    await post(before('unknown'));
    await insertExperiment(server, 'unknown', 'b');
    const stored = await everything();
    for (const dryRun of [false, true]) {
      const { status, body } = await post(rest('unknown'), { bb: 'c', b: 'cc' }, dryRun);
      expect([status, body.code]).toEqual([400, 'invalid_request']);
      expect(body.errors).toEqual([
        { pointer: '/state_map/bb', detail: '"bb" is not a state of the current workflow. Did you mean "b"?' },
        { pointer: '/state_map/b', detail: '"cc" is not a state of the new definition. Did you mean "c"?' },
      ]);
    }
    expect((await post(rest('unheard of'), { b: 'c' })).status).toBe(400);
    expect((await post(rest('unknown'), { b: 'b' })).status).toBe(400);
    expect(await everything()).toEqual(stored);
  });

  it('ignores a state that the definition keeps, and causes a warning', async () => {
    await post(before('stays'));
    const experiment = await insertExperiment(server, 'stays', 'a');
    const { status, body } = await post(rest('stays'), { a: 'c', b: 'c' });
    expect([status, body.warnings.at(-1)]).toEqual([
      200,
      {
        code: null,
        message: 'state_map names "a", but the definition still has this state. Its experiments stay in it.',
        line: null,
        column: null,
      },
    ]);
    expect(await positionOf(server, experiment)).toMatchObject({ state: 'a' });
    expect((await post(rest('stays'), { b: 'c' })).body.outcome).toBe('identical');
  });

  it('moves thousands of experiments in one import', async () => {
    await post(before('many'));
    await insertExperiment(server, 'many', 'b', ['queued', 'running', 'finished']);
    const from = await stateId(server, 'many', 'b');
    await server.sql(
      `with e as (insert into experiments (subject_id, cohort_id, workflow_id, state_id, label, action_sequence)
         select 1, 1, workflow_id, id, 'many ' || n, 1 from states, generate_series(1, 5000) n where id = ${from} returning id, state_id, cohort_id),
       n as (insert into state_count_deltas select state_id, cohort_id, 1 from e),
       a as (insert into actions (experiment_id, sequence, transition_id, actor_kind)
         select e.id, 1, (select max(transition_id) from actions), 'engine' from e returning id)
       insert into callback_executions (action_id, callback_id, callback_version)
         select a.id, c.id, 1 from a, callbacks c where c.state_id = ${from}`,
    );
    expect((await post(busy('many'), { b: 'c' })).status).toBe(200);
    const [row] = await server.sql(
      `select (select count(*)::int from experiments where state_id = ${from}) as stranded,
         count(*)::int as actions, count(distinct experiment_id)::int as experiments,
         (select count(*)::int from callback_executions x join actions a on a.id = x.action_id
          where a.transition_id = t.id and status in ('created', 'queued')) as executions,
         (select count(*)::int from callback_executions x join callbacks c on c.id = x.callback_id
          where c.state_id = ${from} and status = 'skipped') as skipped
       from transitions t join actions on transition_id = t.id where t.source_state_id = ${from} and kind = 'correction' group by t.id`,
    );
    expect(row).toEqual({ stranded: 0, actions: 5001, experiments: 5001, executions: 10_002, skipped: 15_001 });
  });
});

describe('the workflow lock', () => {
  it('makes an import wait for moves that hold it', async () => {
    await post(before('locked'));
    const holder = await server.database.pool.connect();
    try {
      await holder.query("begin; select from workflows where label = 'locked' for share");
      const importing = post(busy('locked'));
      await expect.poll(isWaiting).toBe(true);
      await holder.query('commit');
      expect((await importing).status).toBe(200);
    } finally {
      holder.release();
    }
  });

  it('is not acquired by a dry run, which responds while an import holds the lock', async () => {
    await post(before('held'));
    const holder = await server.database.pool.connect();
    try {
      await holder.query("begin; select from workflows where label = 'held' for update");
      expect((await post(busy('held'), undefined, true)).body).toMatchObject({ outcome: 'changed' });
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  });
});

it('the state counts are correct after all imports in this file', async () => {
  expect(await wrongCounts(server.sql)).toEqual([]);
});
