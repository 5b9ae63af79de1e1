/**
 * The numbers and the matrix of a cohort: exact after any change of subjects and experiments, and filtered.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { wrongCohortCounts } from '../../../testing/rows/true-counts.ts';
import { foldCounts } from '../../store/experiments/state-counts.ts';
import { findMatrixSubjects, mostLooks } from '../../store/screens/matrix-subjects.ts';

let server: TestServer;
let world: EngineWorld;
let workflow: string;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  workflow = await world.importWorkflow(`
initial: scanned
states:
  - {label: scanned, outcome: neutral, transitions: [{destination: review}, {destination: accepted}]}
  - {label: review, decision: {due: 1min}, transitions: [{destination: accepted, by: person}]}
  - {label: accepted, title: Accepted, outcome: good}
`);
});
afterAll(() => server.stop());

async function createCohort(): Promise<{ id: number; label: string }> {
  return (await server.call('createCohort', { body: { label: world.fresh('cohort') } })).body;
}

async function createSubject(cohort: string, label = world.fresh('subject')): Promise<{ id: number; label: string }> {
  return (await server.call('createSubject', { body: { label, cohort_label: cohort } })).body;
}

async function createVisits(subject: { id: number; label: string }, visits: readonly string[], state?: string) {
  const ids: number[] = [];
  for (const visit of visits) {
    const body = { label: `${subject.label}-${visit}`, subject_id: subject.id, workflow_label: workflow };
    const { id } = (await server.call('createExperiment', { body })).body;
    if (state !== undefined) await world.move(id, state);
    ids.push(id);
  }
  return ids;
}

const summaryOf = async (id: number) => (await server.call('getCohortSummary', { params: { id } })).body;
const withdraw = (id: number) =>
  server.call('withdrawSubject', { params: { id }, body: { reason: 'by letter', date: '2026-03-01' } });

const matrixOf = async (id: number, query: Record<string, string | number> = {}) => {
  const { body } = await server.call('getCohortMatrix', { params: { id }, query });
  return body as { subjects: { label: string; experiments: Record<string, unknown>[] }[]; next: number | null };
};
const labelsOf = async (...matrix: Parameters<typeof matrixOf>) =>
  (await matrixOf(...matrix)).subjects.map(({ label }) => label);

describe('the numbers of a cohort', () => {
  it('count subjects, outcomes and visits, without those who withdrew, before and after deltas are folded', async () => {
    const cohort = await createCohort();
    const [first, second] = [await createSubject(cohort.label), await createSubject(cohort.label)];
    const gone = await createSubject(cohort.label);
    await createVisits(first, ['baseline', 'month-6'], 'accepted');
    await createVisits(second, ['baseline'], 'review');
    await createVisits(gone, ['baseline', 'month-12']);
    await withdraw(gone.id);
    const expected = {
      subjects: 3,
      withdrawn: 1,
      experiments: 3,
      progress: [
        { part: 'good', title: 'Accepted', experiments: 2 },
        { part: 'attention', title: null, experiments: 1 },
      ],
      subjects_attention: 1,
      visits: [
        { visit: 'baseline', subjects: 2 },
        { visit: 'month-6', subjects: 1 },
      ],
    };
    expect(await summaryOf(cohort.id)).toMatchObject(expected);
    await foldCounts(server.database.db);
    expect(await summaryOf(cohort.id)).toMatchObject(expected);
    const { body } = await server.call('listCohortRows', { query: { after: cohort.id - 1 } });
    const { visits: _visits, subjects_attention: _attention, ...numbers } = expected;
    expect(body.cohorts[0]).toMatchObject({ id: cohort.id, ...numbers, last_activity: expect.any(String) });
  });

  it('stay exact when subjects and experiments are renamed, and change subject or cohort', async () => {
    const [cohort, other] = [await createCohort(), await createCohort()];
    const [one, two] = [await createSubject(cohort.label), await createSubject(cohort.label)];
    const [baseline] = await createVisits(one, ['baseline', 'month-6']);
    await createVisits(two, ['baseline']);
    const renamed = world.fresh('renamed');
    const update = (id: number, body: object) => server.call('updateSubject', { params: { id }, body });
    await update(one.id, { label: renamed });
    expect((await summaryOf(cohort.id)).visits).toContainEqual({ visit: 'baseline', subjects: 1 });
    await update(one.id, { label: one.label });
    await update(one.id, { cohort_label: other.label });
    await update(two.id, { label: world.fresh('both'), cohort_label: other.label });
    await server.call('updateExperiment', {
      params: { id: baseline ?? 0 },
      body: { subject_id: two.id, label: 'elsewhere' },
    });
    expect(await wrongCohortCounts(server.sql)).toEqual([]);
    await foldCounts(server.database.db);
    expect(await wrongCohortCounts(server.sql)).toEqual([]);
    expect(await summaryOf(cohort.id)).toMatchObject({ subjects: 0, experiments: 0, visits: [] });
    expect(await summaryOf(other.id)).toMatchObject({ subjects: 2, experiments: 3 });
  });

  it('keep nothing of the labels of an erased subject', async () => {
    const cohort = await createCohort();
    const subject = await createSubject(cohort.label);
    await createVisits(subject, ['canary-visit']);
    await withdraw(subject.id);
    const params = { id: subject.id };
    const { body } = await server.call('requestErasure', { params, body: { reason: 'asked for' } });
    const erased = await server.call('eraseSubject', { params, body: { erasure_id: body.id, label: subject.label } });
    expect(erased.status).toBeLessThan(300);
    const kept =
      'select from cohort_counts where visit ~ $1 union all select from cohort_count_deltas where visit ~ $1';
    expect(await server.sql(kept, ['canary'])).toEqual([]);
    expect(await wrongCohortCounts(server.sql)).toEqual([]);
  });
});

describe('the columns of the matrix', () => {
  it('are the visits that a fifth of the subjects have, in the order of the scans', async () => {
    const cohort = await createCohort();
    const subjects = [];
    for (let n = 0; n < 6; n++) subjects.push(await createSubject(cohort.label));
    for (const subject of subjects) await createVisits(subject, ['screening', 'baseline']);
    for (const subject of subjects.slice(0, 2)) await createVisits(subject, ['month-6']);
    for (const subject of subjects.slice(0, 1)) await createVisits(subject, ['extra']);
    const { visits } = await summaryOf(cohort.id);
    expect(visits.map(({ visit }: { visit: string }) => visit)).toEqual(['screening', 'baseline', 'month-6']);
  });
});

describe('the subjects of the matrix', () => {
  it('are in the order of their labels, page by page, with and without filters', async () => {
    const cohort = await createCohort();
    for (const label of ['S-3', 'S-1', 'S-4', 'S-2']) await createSubject(cohort.label, label);
    for (const filter of [{}, { label: 's-' }]) {
      const first = await matrixOf(cohort.id, { ...filter, limit: 2 });
      const second = await matrixOf(cohort.id, { ...filter, limit: 2, after: first.next ?? 0 });
      const labels = [first, second].map(({ subjects }) => subjects.map(({ label }) => label));
      expect(labels).toEqual([
        ['S-1', 'S-2'],
        ['S-3', 'S-4'],
      ]);
      expect(second.next).toBeNull();
    }
  });

  it('cannot continue after a subject of another cohort', async () => {
    const [cohort, other] = [await createCohort(), await createCohort()];
    const { id: after } = await createSubject(other.label);
    const { status, body } = await server.call('getCohortMatrix', { params: { id: cohort.id }, query: { after } });
    const detail = `No subject with id ${after} in this cohort. Start again without \`after\`.`;
    expect([status, body.errors]).toEqual([400, [{ pointer: '?after', detail }]]);
  });
});

describe('the filters of the matrix', () => {
  it('find subjects by label, state, gaps and attention', async () => {
    const cohort = await createCohort();
    const full = await createSubject(cohort.label, 'MC-1');
    const gap = await createSubject(cohort.label, 'MC-2');
    const gone = await createSubject(cohort.label, 'XY-3');
    await createVisits(full, ['baseline', 'month-6'], 'accepted');
    await createVisits(gap, ['baseline'], 'review');
    await withdraw(gone.id);
    const { states } = await summaryOf(cohort.id);
    const stateId = (label: string) =>
      states.find(({ state }: { state: { label: string } }) => state.label === label).state.id as number;
    expect(await labelsOf(cohort.id, { label: 'mc-' })).toEqual(['MC-1', 'MC-2']);
    expect(await labelsOf(cohort.id, { state_id: stateId('accepted') })).toEqual(['MC-1']);
    expect(await labelsOf(cohort.id, { gaps: 'any' })).toEqual(['MC-2']);
    expect(await labelsOf(cohort.id, { attention: 'any' })).toEqual(['MC-2']);
    expect(await labelsOf(cohort.id, { attention: 'any', label: 'MC-1' })).toEqual([]);
    const { subjects } = await matrixOf(cohort.id, { attention: 'any' });
    expect(subjects[0]?.experiments).toMatchObject([{ visit: 'baseline', waits: 'decision', overdue: false }]);
  });

  it('skip as many subjects as `offset` says, of those that match', async () => {
    const cohort = await createCohort();
    for (const label of ['MC-1', 'XY-2', 'MC-3', 'MC-4']) {
      const subject = await createSubject(cohort.label, label);
      await createVisits(subject, ['baseline'], 'review');
    }
    expect(await labelsOf(cohort.id, { offset: 1, limit: 2 })).toEqual(['MC-3', 'MC-4']);
    expect(await labelsOf(cohort.id, { offset: 3 })).toEqual(['XY-2']);
    expect(await labelsOf(cohort.id, { offset: 4 })).toEqual([]);
    expect(await labelsOf(cohort.id, { offset: 5 })).toEqual([]);
    expect(await labelsOf(cohort.id, { offset: 1, limit: 1, label: 'MC' })).toEqual(['MC-3']);
    expect(await labelsOf(cohort.id, { offset: 2, attention: 'any' })).toEqual(['MC-4', 'XY-2']);
    expect((await matrixOf(cohort.id, { offset: 1, limit: 1 })).next).toBeGreaterThan(0);
  });

  it('continue after the subjects that a request looked at, until all matching ones are found', async () => {
    const { id } = await createCohort();
    await server.sql(
      `insert into subjects (cohort_id, label) select $1, 'N-' || n from generate_series(1, $2::int) n`,
      [id, mostLooks + 1],
    );
    const page = { cohortId: id, after: 0, offset: 0, limit: 10 };
    const filter = { stateId: 1, attention: false };
    const first = await findMatrixSubjects(server.database.db, page, filter);
    expect([first.rows, first.next]).toEqual([[], expect.any(Number)]);
    expect(await findMatrixSubjects(server.database.db, { ...page, after: first.next ?? 0 }, filter)).toEqual({
      rows: [],
      next: undefined,
    });
  });
});
