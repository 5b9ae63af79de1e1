/**
 * The filters of GET /experiments that refer to a subject or a state.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Experiment, type World } from '../../../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: World;
let one: Experiment;
let other: Experiment;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

const list = (query: Record<string, string>) => server.call('listExperiments', { query });
const idsOf = async (query: Record<string, string>) => {
  const { status, body } = await list(query);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.experiments.map(({ id }: { id: number }) => id);
};

const stateOf = ({ workflow }: Experiment) => workflow.states['arrived'] ?? 0;
const renameState = (id: number, label: string) =>
  server.sql('update states set label = $2 where id = $1', [id, label]);
const renameSubject = (id: number, label: string) =>
  server.sql('update subjects set label = $2 where id = $1', [id, label]);

beforeAll(async () => {
  [one, other] = [await world.experiment(), await world.experiment()];
  await renameState(stateOf(one), 'one');
  await renameState(stateOf(other), 'other');
});

describe('?state', () => {
  it('matches the label in every workflow', async () => {
    await renameState(stateOf(other), 'one');
    expect(await idsOf({ state: 'one' })).toEqual([one.id, other.id]);
    await renameState(stateOf(other), 'other');
  });

  it('takes a label with slashes or digits', async () => {
    for (const label of ['T1/T2', `000${stateOf(other)}`, String(stateOf(one)), `/api/v2/states/${stateOf(one)}`]) {
      await renameState(stateOf(one), label);
      expect(await idsOf({ state: label })).toEqual([one.id]);
    }
    await renameState(stateOf(one), 'one');
  });

  it('takes a URI or digits as an id if no state has this label', async () => {
    for (const text of [`/api/v2/states/${stateOf(one)}`, String(stateOf(one))]) {
      expect(await idsOf({ state: text })).toEqual([one.id]);
    }
  });

  it.each(['0', '9007199254740992', '9'.repeat(30), 'nowhere', '/api/v2/subjects/1'])(
    'matches nothing if it is %s',
    async (state) => {
      expect(await idsOf({ state })).toEqual([]);
    },
  );

  it('matches nothing if it is an id with a leading zero', async () => {
    expect(await idsOf({ state: `0${stateOf(one)}` })).toEqual([]);
  });

  it('returns 409 with all of them if it is a label and also the id or the URI of another state', async () => {
    for (const text of [String(stateOf(other)), `/api/v2/states/${stateOf(other)}`]) {
      await renameState(stateOf(one), text);
      const { status, body } = await list({ state: text });
      expect([status, body.code]).toEqual([409, 'ambiguous_reference']);
      expect(body.detail).toMatch(/ Use a URI\.$/);
      expect(body.errors).toEqual([
        {
          pointer: '?state',
          detail: `It could be /api/v2/states/${stateOf(other)}, label "other", workflow "${other.workflow.label}".`,
        },
        {
          pointer: '?state',
          detail: `It could be /api/v2/states/${stateOf(one)}, label "${text}", workflow "${one.workflow.label}".`,
        },
      ]);
    }
    await renameState(stateOf(one), 'one');
  });
});

describe('?subject_id', () => {
  it('takes digits as an id, even if they are the label of another subject', async () => {
    await renameSubject(one.subjectId, String(other.subjectId));
    expect(await idsOf({ subject_id: String(other.subjectId) })).toEqual([other.id]);
  });

  it('takes a label with slashes or leading zeros', async () => {
    for (const label of ['T1/T2', `000${other.subjectId}`]) {
      await renameSubject(one.subjectId, label);
      expect(await idsOf({ subject_id: label })).toEqual([one.id]);
    }
  });

  it('takes a URI', async () => {
    expect(await idsOf({ subject_id: `/api/v2/subjects/${one.subjectId}` })).toEqual([one.id]);
  });

  it('matches nothing if it is an id with a leading zero or too many digits', async () => {
    for (const text of [`0${other.subjectId}`, String(2 ** 53), '9'.repeat(30)]) {
      expect(await idsOf({ subject_id: text })).toEqual([]);
    }
  });

  it('does not reveal the label of a subject in another cohort', async () => {
    const [subject] = await server.sql<{ cohort_id: string }>('select cohort_id from subjects where id = $1', [
      one.subjectId,
    ]);
    const uri = `/api/v2/subjects/${one.subjectId}`;
    await renameSubject(other.subjectId, uri);
    const as = 'limited';
    const id = await server.addUserWith(as, 'sample_add');
    await server.sql(
      `with removed as (delete from user_roles where user_id = $1 returning role_id)
       insert into cohort_roles (user_id, role_id, cohort_id) select $1, role_id, $2 from removed`,
      [id, subject?.cohort_id],
    );
    expect((await list({ subject_id: uri })).status).toBe(409);
    const { status, body } = await server.call('listExperiments', { query: { subject_id: uri }, as });
    expect([status, body.experiments]).toEqual([200, [expect.objectContaining({ id: one.id })]]);
  });
});

const cohortOf = async ({ subjectId }: Experiment): Promise<string> => {
  const { body } = await server.call('getSubject', { params: { id: subjectId } });
  return body.cohort.label;
};

describe('?workflow_label, ?cohort_label and ?label', () => {
  it('match exactly the label', async () => {
    expect(await idsOf({ workflow_label: one.workflow.label })).toEqual([one.id]);
    expect(await idsOf({ cohort_label: await cohortOf(other) })).toEqual([other.id]);
    expect(await idsOf({ label: one.label })).toEqual([one.id]);
    expect(await idsOf({ label: one.label.toUpperCase() })).toEqual([]);
    expect(await idsOf({ label: one.label.slice(0, -1) })).toEqual([]);
    expect(await idsOf({ workflow_label: String(one.workflow.id), state: 'one' })).toEqual([]);
  });

  it('match experiments that match all of them', async () => {
    const cohort_label = await cohortOf(one);
    const all = { workflow_label: one.workflow.label, cohort_label, label: one.label, state: String(stateOf(one)) };
    expect(await idsOf(all)).toEqual([one.id]);
    expect(await idsOf({ ...all, workflow_label: other.workflow.label })).toEqual([]);
    expect(await idsOf({ ...all, cohort_label: await cohortOf(other) })).toEqual([]);
    expect(await idsOf({ ...all, label: other.label })).toEqual([]);
  });

  it('match the same label of several subjects', async () => {
    await server.sql('update experiments set label = $2, version = version + 1 where id = $1', [other.id, one.label]);
    expect(await idsOf({ label: one.label })).toEqual([one.id, other.id]);
    expect(await idsOf({ label: one.label, state: String(stateOf(other)) })).toEqual([other.id]);
  });

  it.each(['workflow_label', 'cohort_label', 'label'])('match nothing if %s is unknown', async (name) => {
    expect(await idsOf({ [name]: 'unknown' })).toEqual([]);
  });
});

describe('?scandate', () => {
  it('finds an experiment by the time that was sent, which is stored in milliseconds', async () => {
    const { subjectId, workflow } = one;
    for (const scandate of ['2031-05-01T10:30:12.123456', '2031-05-02T10:30:12.9996']) {
      const body = { label: scandate, subject_id: subjectId, scandate, workflow_label: workflow.label };
      const created = await server.call('createExperiment', { body });
      expect(await idsOf({ scandate })).toEqual([created.body.id]);
    }
  });
});
