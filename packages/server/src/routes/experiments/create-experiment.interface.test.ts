/** The subject of a new experiment, named by its label and the label of its cohort. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: World;
let subject: { id: number; label: string; cohortLabel: string };
let other: { id: number; label: string; cohortLabel: string };
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
  await world.workflow();
  [subject, other] = [await createSubject('shared'), await createSubject('shared')];
});
afterAll(() => server.stop());

async function createSubject(label: string) {
  const cohort = await world.cohort();
  const { status, body } = await server.call('createSubject', { body: { label, cohort_label: cohort.label } });
  expect(status).toBe(201);
  return { id: body.id as number, label, cohortLabel: cohort.label };
}

const create = (fields: Record<string, unknown>, as?: string) =>
  server.call('createExperiment', { body: { label: world.fresh('experiment'), ...fields }, ...(as && { as }) });

const faultsOf = async (fields: Record<string, unknown>) => {
  const { status, body } = await create(fields);
  return { status, errors: body.errors };
};

describe('the subject of a new experiment', () => {
  it('is found by its label in the named cohort, although another cohort has the label too', async () => {
    for (const { id, label, cohortLabel } of [subject, other]) {
      const { status, body } = await create({ subject_label: label, cohort_label: cohortLabel });
      expect([status, body.subject?.id]).toEqual([201, id]);
    }
  });

  it('is found by exactly its label, even if it is the id of another subject', async () => {
    const digits = await createSubject(String(subject.id));
    const { body } = await create({ subject_label: digits.label, cohort_label: digits.cohortLabel });
    expect(body.subject).toMatchObject({ id: digits.id, label: digits.label });
    const asId = await create({ subject_label: String(other.id), cohort_label: other.cohortLabel });
    expect(asId.status).toBe(404);
  });

  it('can be named by id and labels that agree', async () => {
    const labels = { subject_label: subject.label, cohort_label: subject.cohortLabel };
    const { status, body } = await create({ subject_id: subject.id, ...labels });
    expect([status, body.subject?.id]).toEqual([201, subject.id]);
  });

  it('must be named', async () => {
    const errors = [{ pointer: '/subject_id', detail: 'One of /subject_id, /subject_label is required.' }];
    expect(await faultsOf({ cohort_label: subject.cohortLabel })).toEqual({ status: 400, errors });
  });

  it('is not found by its label without its cohort', async () => {
    const detail = '/cohort_label is required with /subject_label, unless you send /subject_id.';
    const errors = [{ pointer: '/cohort_label', detail }];
    expect(await faultsOf({ subject_label: subject.label })).toEqual({ status: 400, errors });
  });

  it('is rejected if the id and the labels mean different subjects, with each field that differs', async () => {
    const { status, errors } = await faultsOf({
      subject_id: subject.id,
      subject_label: 'another',
      cohort_label: other.cohortLabel,
    });
    const advice = 'Send only /subject_id, or only the labels.';
    expect(status).toBe(400);
    expect(errors).toEqual([
      { pointer: '/subject_label', detail: `The subject with id ${subject.id} has another label. ${advice}` },
      { pointer: '/cohort_label', detail: `The subject with id ${subject.id} is in another cohort. ${advice}` },
    ]);
  });

  it('returns 404 with the unknown label', async () => {
    expect(await faultsOf({ subject_label: 'unknown', cohort_label: subject.cohortLabel })).toEqual({
      status: 404,
      errors: [{ pointer: '/subject_label', detail: `No subject "unknown" in cohort "${subject.cohortLabel}".` }],
    });
    expect(await faultsOf({ subject_label: subject.label, cohort_label: 'unknown' })).toEqual({
      status: 404,
      errors: [{ pointer: '/cohort_label', detail: 'No cohort "unknown".' }],
    });
  });

  it('is unknown to users without access to its cohort, in the words for a cohort that does not exist', async () => {
    const [row] = await server.sql<{ cohort_id: string }>('select cohort_id from subjects where id = $1', [other.id]);
    const userId = await server.addUserWith('limited', 'sample_add');
    await server.sql(
      `with removed as (delete from user_roles where user_id = $1 returning role_id)
       insert into cohort_roles (user_id, role_id, cohort_id) select $1, role_id, $2 from removed`,
      [userId, row?.cohort_id],
    );
    const own = await create({ subject_label: other.label, cohort_label: other.cohortLabel }, 'limited');
    expect(own.status).toBe(201);
    const foreign = await create({ subject_label: subject.label, cohort_label: subject.cohortLabel }, 'limited');
    const unknown = await create({ subject_label: subject.label, cohort_label: 'unknown' }, 'limited');
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(JSON.stringify(foreign.body.errors).replaceAll(subject.cohortLabel, 'unknown')).toBe(
      JSON.stringify(unknown.body.errors),
    );
  });
});
