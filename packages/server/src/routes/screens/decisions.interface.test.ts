/**
 * Decisions in GET /attention, in the counts of a workflow, and of one experiment.
 *
 * @module-tag sql
 */
import { describe, expect, it } from 'vitest';
import { startEngineWorld } from '../../../testing/start-engine-world.ts';
import { readDecisionItems } from '../../store/screens/decision-items.ts';

const { server, world } = await startEngineWorld();

const states = `initial: qc
states:
  - label: qc
    title: Visual QC
    freetext: A person reviews the images.
    decision: {due: 3d, show: [{variable: motion, title: Motion, unit: mm, max: 1.2}, {variable: contrast, title: Contrast, min: 9}]}
    transitions: [{destination: person_only, title: Accept}, {destination: undecided}, {destination: run}, {destination: end}]
  - {label: person_only, transitions: [{destination: end, by: person}, {destination: job, by: person}]}
  - {label: undecided, transitions: [{destination: end}]}
  - {label: settled, outcome: good, transitions: [{destination: end}]}
  - label: run
    callbacks: [{label: c, function: worker, callback_arguments: {queue: decisions}}]
    transitions: [{destination: qc, condition: "callbacks['c'].result == 'success'"}, {destination: settled, by: person}]
  - label: job
    callbacks: [{label: convert, function: worker, callback_arguments: {queue: jobs}}]
    transitions: [{destination: broken, condition: "callbacks['convert'].result != 'success'"}]
  - {label: broken, freetext: Convert again., decision: {due: 1d}, transitions: [{destination: job, by: person}]}
  - {label: end}
`;

/** A workflow and a cohort of its own, so that tests do not see each other's experiments. */
async function study() {
  const workflow = await world.importWorkflow(states);
  const cohort = (await server.call('createCohort', { body: { label: world.fresh('cohort') } })).body;
  const experiment = async (...path: string[]) => {
    const label = world.fresh('subject');
    const subject = await server.call('createSubject', { body: { label, cohort_label: cohort.label } });
    const body = { label: world.fresh('experiment'), subject_id: subject.body.id, workflow_label: workflow };
    const { id } = (await server.call('createExperiment', { body })).body;
    for (const state of path) await world.move(id, state);
    return id as number;
  };
  const attention = async (query: object = {}) =>
    (await server.call('listAttention', { query: { cohort_id: cohort.id, ...query } })).body;
  const graph = async () => {
    const { body } = await server.call('getWorkflowByLabel', { params: { label: workflow } });
    return (await server.call('getWorkflowCounts', { params: { id: body.id }, query: { cohort_id: cohort.id } })).body
      .states;
  };
  return { cohort, experiment, attention, graph };
}

const waitFor = (id: number, days: number) =>
  server.sql(
    `update experiments set resting_since = now() - $2 * interval '1 day', version = version + 1 where id = $1`,
    [id, days],
  );

const none = {
  decide: 0,
  failed: 0,
  timed_out: 0,
  waiting: 0,
  blocked: 0,
  retrying: 0,
  new: 0,
  snoozed: 0,
  experiments: 0,
  moving: 0,
  total: 0,
};

const sum = (name: 'decide' | 'undecided', rows: Record<string, number>[]) =>
  rows.reduce((all, row) => all + (row[name] ?? 0), 0);
const decisionOf = async (id: number) => (await server.call('getExperimentDecision', { params: { id } })).body;

describe('GET /attention', () => {
  it('lists decisions by the time when they are due, then those without one, then incidents, each experiment once', async () => {
    const { experiment, attention } = await study();
    const failed = await experiment('run');
    await world.finish((await world.executionOf(failed, 'c')).id, 'failed');
    const [young, overdue, person] = [await experiment(), await experiment(), await experiment('person_only')];
    await experiment('run');
    await experiment('end');
    await waitFor(overdue, 4);
    await waitFor(person, 30);
    const { items, counts } = await attention();
    expect(items).toMatchObject([
      {
        kind: 'decide',
        experiment: { id: overdue },
        state_title: 'Visual QC',
        overdue: true,
        due_at: expect.any(String),
      },
      { kind: 'decide', experiment: { id: young }, overdue: false, what: 'A person reviews the images.' },
      { kind: 'decide', experiment: { id: person }, state_title: 'person_only', overdue: false, due_at: null },
      { kind: 'failed', experiment: { id: failed } },
    ]);
    expect(counts).toEqual({ ...none, decide: 3, failed: 1, experiments: 4, moving: 1, total: 6 });
  });

  it('says which values are outside their limits', async () => {
    const { experiment, attention } = await study();
    const id = await experiment();
    const set = (name: string, value: number) =>
      server.call('setExperimentVariable', { params: { id, name }, body: { value, reason: 'measured' } });
    await set('motion', 1.56);
    await set('contrast', 10.9);
    expect((await attention()).items[0].what).toBe('Motion is 1.56 mm. The limit is 1.2 mm.');
    await set('motion', 0.8);
    expect((await attention()).items[0].what).toBe('Motion is 0.8 mm. Contrast is 10.9.');
  });

  it('names the run that failed in the state before, and its error', async () => {
    const { experiment, attention } = await study();
    const id = await experiment('person_only', 'job');
    const run = await world.executionOf(id, 'convert');
    await world.finish(run.id, 'failed');
    const [item] = (await attention()).items;
    expect(item).toMatchObject({
      kind: 'decide',
      experiment: { id },
      what: 'convert: no reason given',
      execution_id: run.id,
      cause_group: null,
      incident_id: null,
    });
    await server.sql(
      `update callback_executions set cause = 'No space left', last_error = 'Unexpected exit code: 1' where id = $1`,
      [run.id],
    );
    expect((await attention()).items).toMatchObject([
      { what: 'convert: No space left', cause: 'No space left', error: 'Unexpected exit code: 1' },
    ]);
  });

  it('has one line for each state that only users can leave, unless its outcome says that experiments can stay', async () => {
    const { experiment, attention } = await study();
    await experiment('undecided');
    await experiment('undecided');
    await experiment('run', 'settled');
    const placed = await experiment();
    await server.call('placeExperiment', { params: { id: placed }, body: { state: 'run', reason: 'by hand' } });
    const { items, counts, states: lines } = await attention();
    expect(items).toEqual([]);
    expect(lines).toMatchObject([
      { kind: 'undecided', state: { label: 'undecided' }, experiments: 2 },
      { kind: 'undecided', state: { label: 'run' }, experiments: 1 },
    ]);
    expect(counts).toEqual({ ...none, total: 4 });
  });

  it('agrees with the counts of the workflow and with the rule in SQL', async () => {
    const { experiment, attention, graph, cohort } = await study();
    for (const path of [[], [], ['person_only'], ['undecided'], ['run'], ['end']]) await experiment(...path);
    const { counts } = await attention();
    const rows = await graph();
    expect([sum('decide', rows), sum('undecided', rows)]).toEqual([3, 1]);
    const [own] = await server.sql<{ count: number }>(
      `select count(*)::int from experiments join states on states.id = state_id where cohort_id = $1
         and exists (select from transitions where source_state_id = states.id and kind = 'defined' and not transitions.retired)
         and (decision is not null or not exists (
           select from transitions where source_state_id = states.id and kind = 'defined' and not transitions.retired and by <> 'person'))
         and not exists (select from actions join callback_executions on action_id = actions.id
           where experiment_id = experiments.id and status not in ('finished', 'skipped'))
         and not exists (select from incidents where experiment_id = experiments.id and closed_at is null)`,
      [cohort.id],
    );
    expect(own?.count).toBe(counts.decide);
  });

  it('returns decisions and incidents across pages, each once and in order', async () => {
    const { experiment, attention, cohort } = await study();
    const failed = await experiment('run');
    await world.finish((await world.executionOf(failed, 'c')).id, 'failed');
    for (let number = 0; number < 4; number += 1) await experiment(...(number % 2 === 0 ? [] : ['person_only']));
    const whole = (await attention()).items.map(({ id }: { id: number }) => id);
    expect(whole).toHaveLength(5);
    expect(whole).toEqual(whole.toSorted((a: number, b: number) => a - b));
    for (const limit of [1, 2, 3, 4, 5]) {
      const found: number[] = [];
      for (let after: string | undefined = '0'; after !== undefined;) {
        const { body, headers } = await server.call('listAttention', { query: { cohort_id: cohort.id, limit, after } });
        found.push(...body.items.map(({ id }: { id: number }) => id));
        after = /after=(\d+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      }
      expect(found).toEqual(whole);
    }
    const offset = (await attention({ offset: 3, limit: 10 })).items.map(({ id }: { id: number }) => id);
    expect(offset).toEqual(whole.slice(3));
    expect((await attention({ kind: 'decide' })).items).toHaveLength(4);
    expect((await attention({ kind: 'failed' })).items).toHaveLength(1);
  });

  it('does not end a page between experiments that came to rest in the same microsecond', async () => {
    const { experiment, attention, cohort } = await study();
    const ids = [await experiment(), await experiment(), await experiment()];
    await server.sql(
      `update experiments set version = version + 1,
         resting_since = case when id = $2 then timestamptz '2026-01-01 11:00' else timestamptz '2026-01-01 12:00' end
       where cohort_id = $1`,
      [cohort.id, ids[2]],
    );
    const page = async (after: number) =>
      (await attention({ limit: 2, after })).items as { id: number; experiment: { id: number } }[];
    const first = await page(0);
    const second = await page(first.at(-1)?.id ?? 0);
    expect([first, second].map((items) => items.map((item) => item.experiment.id))).toEqual([
      [ids[2]],
      ids.slice(0, 2),
    ]);
  });

  it('returns more than `limit` if all of them came to rest in the same microsecond', async () => {
    const { experiment, attention, cohort } = await study();
    const ids = [await experiment(), await experiment(), await experiment(), await experiment()];
    await server.sql(
      `update experiments set version = version + 1,
         resting_since = case when id = $2 then timestamptz '2026-01-01 12:00' else timestamptz '2026-01-01 11:00' end
       where cohort_id = $1`,
      [cohort.id, ids[3]],
    );
    const page = async (after: number) =>
      (await attention({ limit: 1, after })).items as { id: number; experiment: { id: number } }[];
    const first = await page(0);
    const second = await page(first.at(-1)?.id ?? 0);
    expect([first, second].map((items) => items.map((item) => item.experiment.id))).toEqual([
      ids.slice(0, 3),
      [ids[3]],
    ]);
  });
});

describe('GET /experiments/{id}/decision', () => {
  it('leaves out experiments that moved on after the page was read', async () => {
    const { experiment } = await study();
    const [waiting, ...moved] = [await experiment(), await experiment('run'), await experiment('undecided')];
    expect([...(await readDecisionItems(server.database.db, [waiting, ...moved])).keys()]).toEqual([waiting]);
    for (const id of moved) expect(await decisionOf(id)).toMatchObject({ waiting: false, since: null });
  });

  it('returns the neighbours of the filtered list', async () => {
    const { experiment, cohort } = await study();
    const elsewhere = await study();
    const [first, other, second] = [await experiment(), await elsewhere.experiment(), await experiment()];
    const accepted = await experiment('person_only');
    for (const [place, id] of [first, other, second, accepted].entries()) await waitFor(id, 300 - place);
    const placeOf = async (id: number, query: Record<string, string | number>) => {
      const { body } = await server.call('getExperimentDecision', { params: { id }, query });
      return { position: body.position, total: body.total, previous: body.previous?.id, next: body.next?.id };
    };
    const ofCohort = { cohort_id: cohort.id };
    expect(await placeOf(second, ofCohort)).toEqual({ position: 2, total: 3, previous: first, next: accepted });
    const { state } = await decisionOf(first);
    expect(await placeOf(second, { ...ofCohort, state_id: state.id })).toMatchObject({ total: 2, next: undefined });
    const [admin] = await server.sql<{ id: number }>(`select id::int from users where username = 'admin'`);
    await server.call('assignExperiment', { params: { id: second }, body: { user_id: admin?.id } });
    expect(await placeOf(accepted, { ...ofCohort, assignee: 'me' })).toEqual({
      position: null,
      total: 1,
      previous: undefined,
      next: second,
    });
    expect(await placeOf(first, { ...ofCohort, assignee: 'nobody' })).toMatchObject({ total: 2, next: accepted });
  });

  it('returns what is decided and the neighbours in the order of the attention list', async () => {
    const { experiment } = await study();
    const [last, first] = [await experiment(), await experiment()];
    await waitFor(first, 400);
    await waitFor(last, 399);
    expect(await decisionOf(first)).toMatchObject({
      title: 'Visual QC',
      decision: { due: '3d' },
      waiting: true,
      overdue: true,
      position: 1,
      previous: null,
      next: { id: last },
    });
    expect(await decisionOf(last)).toMatchObject({ position: 2, previous: { id: first } });
    await world.move(first, 'end');
    expect(await decisionOf(first)).toMatchObject({
      waiting: false,
      position: null,
      previous: null,
      next: { id: last },
    });
  });
});
