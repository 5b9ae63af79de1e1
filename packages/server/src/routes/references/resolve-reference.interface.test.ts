/**
 * How a body can refer to other resources. Scans serve as the example, as their body accepts every kind of reference.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Experiment, type World } from '../../../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: World;
let experiment: Experiment;
let scantype: Awaited<ReturnType<World['scantype']>>;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
  [experiment, scantype] = [await world.experiment(), await world.scantype()];
});
afterAll(() => server.stop());

const post = (body: object, as = 'admin') => server.call('createScan', { body, as });
const scanOf = (named: unknown) => post({ experiment: named, scantype: scantype.id });
const count = async () => (await server.sql<{ count: string }>('select count(*) from scans'))[0]?.count;

const label = async (text: string) => {
  await server.sql('update experiments set label = $2 where id = $1', [experiment.id, text]);
  return text;
};

describe('a reference', () => {
  it.each<[string, () => unknown]>([
    ['a number', () => experiment.id],
    ['a string of digits', () => String(experiment.id)],
    ['the uri from a response', () => `/api/v2/experiments/${experiment.id}`],
    ['a uri without the base path', () => `/experiments/${experiment.id}`],
    ['a uri with a trailing slash', () => `/api/v2/experiments/${experiment.id}/`],
    ['the absolute URL from a response', () => `https://milepost.example.org/api/v2/experiments/${experiment.id}`],
    ['the URL of its page', () => `https://milepost.example.org/experiments/${experiment.id}`],
    ['a label', () => experiment.label],
    ['a label with spaces, dots and a percent sign', () => label('MC 41.2 %2F')],
    ['a label in decomposed Unicode form', async () => (await label('M\u00fcller')).normalize('NFD')],
    ['a label that starts with digits', () => label('41a')],
    ['a label of digits', () => label('0003')],
    ['a label with a slash', () => label('T1/T2')],
  ])('can be %s', async (_what, named) => {
    const { status, body } = await scanOf(await named());
    expect([status, body.experiment?.id]).toEqual([201, experiment.id]);
  });

  it.each<[string, () => unknown]>([
    ['an unknown id', () => 4_000_000_000],
    ['zero as text', () => '0'],
    ['digits with a leading zero', () => `0${experiment.id}`],
    ['the uri of another server', () => `https://other.example.org/api/v2/experiments/${experiment.id}`],
    ['a uri with a leading zero', () => `/api/v2/experiments/0${experiment.id}`],
    ['a number with too many digits for an id', () => '9'.repeat(30)],
    ['the uri of another kind of resource', () => `/api/v2/subjects/${experiment.subjectId}`],
    ['the uri of a subresource', () => `/api/v2/experiments/${experiment.id}/state`],
    ['a uri without an id', () => '/api/v2/experiments/'],
    ['an unknown label', () => 'nobody'],
    ['a label in another case', async () => (await label('Visit')).toUpperCase()],
    ['a label that is too long', () => 'x'.repeat(1024)],
    ['a negative number as text', () => '-1'],
  ])('is rejected with 404 and a pointer if it is %s, and nothing is saved', async (_what, named) => {
    const before = await count();
    const { status, body } = await scanOf(await named());
    expect([status, body.code]).toEqual([404, 'not_found']);
    expect(body.errors).toMatchObject([{ pointer: '/experiment', detail: expect.stringMatching(/^No experiment /) }]);
    expect(await count()).toBe(before);
  });

  it.each([
    ['true', true],
    ['an object', { id: 1 }],
    ['the number zero', 0],
    ['a negative number', -1],
    ['a fraction', 1.5],
    ['a number too large for an id', 2 ** 53],
    ['an empty string', ''],
    ['1,025 characters long', 'x'.repeat(1025)],
  ])('is rejected with 400 and a pointer if it is %s', async (_what, named) => {
    const { status, body } = await scanOf(named);
    expect(status).toBe(400);
    expect(body.errors[0].pointer).toBe('/experiment');
  });

  it('counts as absent if it is null', async () => {
    const { status, body } = await scanOf(null);
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({ pointer: '/experiment_id' });
  });
});

describe('an ambiguous label', () => {
  let others: Experiment[];
  beforeAll(async () => {
    others = [await world.experiment(), await world.experiment()];
    for (const { id } of others) await server.sql(`update experiments set label = 'shared' where id = $1`, [id]);
  });

  it('returns 409 with the uri and the subject of each match', async () => {
    const before = await count();
    const { status, body } = await scanOf('shared');
    expect([status, body.code]).toEqual([409, 'ambiguous_reference']);
    const uris = others.map(({ id }) => `/api/v2/experiments/${id}`);
    const detail = `More than one experiment matches "shared": ${uris.join(', ')}. Use a URI, or the id as a number.`;
    expect(body.detail).toBe(detail);
    const subjects = others.map(({ subjectId }) => server.call('getSubject', { params: { id: subjectId } }));
    const labels = (await Promise.all(subjects)).map((subject) => subject.body.label);
    expect(body.errors).toEqual(
      uris.map((uri, index) => ({
        pointer: '/experiment',
        detail: `It could be ${uri}, label "shared", subject "${labels[index]}".`,
      })),
    );
    expect(await count()).toBe(before);
  });

  it('is resolved by an additional id', async () => {
    const [, second] = others;
    const { status, body } = await post({ experiment: 'shared', experiment_id: second?.id, scantype: scantype.id });
    expect([status, body.experiment?.id]).toEqual([201, second?.id]);
  });

  it('returns only twenty matches and says that there are more', async () => {
    const { cohort } = await world.subject();
    await server.sql(
      `with made as (insert into subjects (cohort_id, label) select $1, 'many ' || n from generate_series(1, 30) n returning *)
       insert into experiments (subject_id, cohort_id, workflow_id, state_id, label)
       select made.id, made.cohort_id, $2, $3, 'baseline' from made`,
      [cohort.id, experiment.workflow.id, experiment.workflow.states['arrived']],
    );
    const { status, body } = await scanOf('baseline');
    expect(status).toBe(409);
    expect(body.errors).toHaveLength(20);
    expect(body.detail).toMatch(/ and others\. Use a URI, or the id as a number\.$/);
  });
});

describe('a label that is also the id of another experiment', () => {
  let other: Experiment;
  beforeAll(async () => {
    other = await world.experiment();
    await label(String(other.id));
  });

  it('returns 409 with both, the one with the id first', async () => {
    const before = await count();
    const { status, body } = await scanOf(String(other.id));
    expect([status, body.code]).toEqual([409, 'ambiguous_reference']);
    const [uri, otherUri] = [experiment, other].map(({ id }) => `/api/v2/experiments/${id}`);
    expect(body.detail).toBe(
      `More than one experiment matches "${other.id}": ${otherUri}, ${uri}. Use a URI, or the id as a number.`,
    );
    expect(body.errors.map(({ detail }: { detail: string }) => detail)).toEqual([
      expect.stringContaining(`${otherUri}, label "${other.label}", subject "`),
      expect.stringContaining(`${uri}, label "${other.id}", subject "`),
    ]);
    expect(await count()).toBe(before);
  });

  it('is resolved by a URI, an id or both fields', async () => {
    const { status, body } = await scanOf(`/api/v2/experiments/${other.id}`);
    expect([status, body.experiment?.id]).toEqual([201, other.id]);
    const both = { experiment: String(other.id), experiment_id: experiment.id, scantype: scantype.id };
    expect((await post(both)).body.experiment?.id).toBe(experiment.id);
  });

  it('never shows or prefers an experiment outside the cohorts of the caller', async () => {
    const as = await limitedTo(other.subjectId);
    const { status, body } = await post({ experiment: String(other.id), scantype: scantype.id }, as);
    expect([status, body.experiment?.id]).toEqual([201, other.id]);
    const hiddenLabel = { experiment: experiment.id, scantype: scantype.id };
    expect((await post(hiddenLabel, as)).status).toBe(404);
    await server.sql('update experiments set label = $2 where id = $1', [other.id, String(experiment.id)]);
    const labelled = await post({ experiment: String(experiment.id), scantype: scantype.id }, as);
    expect([labelled.status, labelled.body.experiment?.id]).toEqual([201, other.id]);
  });
});

/** Adds a user who can add scans only in the cohort of this subject. */
async function limitedTo(subjectId: number): Promise<string> {
  const username = world.fresh('limited').replace(' ', '_');
  const id = await server.addUserWith(username, 'sample_add');
  await server.sql(
    `with removed as (delete from user_roles where user_id = $1 returning role_id)
     insert into cohort_roles (user_id, role_id, cohort_id)
     select $1, removed.role_id, subjects.cohort_id from removed, subjects where subjects.id = $2`,
    [id, subjectId],
  );
  return username;
}

describe('several references to one resource', () => {
  it('return 400 with a pointer to each if they disagree, and save nothing (V2.2.3)', async () => {
    const [before, other] = [await count(), await world.scantype()];
    const { id, protocol } = scantype;
    const names = { scantype_id: id, scantype_protocol: protocol, scantype: other.protocol };
    const { status, body } = await post({ experiment: experiment.id, ...names });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    const detail =
      '/scantype_id and /scantype_protocol and /scantype refer to different objects. Send only one of them.';
    expect(body.errors).toEqual(Object.keys(names).map((name) => ({ pointer: `/${name}`, detail })));
    expect(await count()).toBe(before);
  });

  it('return 404 with a pointer to the reference that is unknown', async () => {
    const { status, body } = await post({
      experiment: experiment.id,
      scantype: scantype.id,
      scantype_protocol: 'nobody',
    });
    expect(status).toBe(404);
    expect(body.errors).toEqual([
      { pointer: '/scantype_protocol', detail: 'No scan type with the protocol "nobody".' },
    ]);
  });

  it('return 400 if all are missing', async () => {
    const { status, body } = await post({ experiment: experiment.id });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.errors).toEqual([
      {
        pointer: '/scantype_id',
        detail: 'One of /scantype_id, /scantype_protocol, /scantype is required.',
      },
    ]);
  });
});
