/** What a label may be, and how it travels; the same for every label of the interface. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.call('createCohort', { body: { label: 'home' } });
  await server.sql(`insert into external_systems (system_name, url) values ('a/b %', 'https://a.example.org')`);
});
afterAll(() => server.stop());

const brain = '🧠';

describe('POST /cohorts', () => {
  it.each([
    ['255 characters', 'x'.repeat(255)],
    ['255 characters of two code units each', brain.repeat(255)],
    ['a space inside', 'memory clinic'],
    ['a slash, a percent sign and a question mark', 'a/b%2F?c=d#e'],
    ['dots that are more than two', '...'],
    ['a backslash and quotes', `\\"'`],
    ['a name that objects have', '__proto__'],
    ['letters from right to left', 'עברית'],
    ['digits only', '12'],
  ])('takes a label with %s and finds it again by that label', async (_what, label) => {
    const { status, body } = await server.call('createCohort', { body: { label } });
    expect(status).toBe(201);
    expect(body.label).toBe(label);
    expect((await server.call('getCohortByLabel', { params: { label } })).body.id).toBe(body.id);
    expect((await server.call('listCohortSubjects', { params: { label } })).body).toEqual({ subjects: [] });
    expect((await server.call('listSubjects', { query: { cohort_label: label } })).body).toEqual({ subjects: [] });
  });

  it.each([
    ['nothing', ''],
    ['256 characters', 'x'.repeat(256)],
    ['256 characters of two code units each', brain.repeat(256)],
    ['a space before', ' x'],
    ['a space behind', 'x '],
    ['a no-break space behind', 'x\u00a0'],
    ['a line break inside', 'a\nb'],
    ['a tab inside', 'a\tb'],
    ['a control character of the second set', 'a\u0085b'],
    ['NUL', 'a\0b'],
    ['one dot', '.'],
    ['two dots', '..'],
    ['by-label', 'by-label'],
  ])('refuses a label of %s', async (_what, label) => {
    const { status, body } = await server.call('createCohort', { body: { label } });
    expect(status).toBe(400);
    expect(body.code).toBe('invalid_request');
    expect(body.errors[0].pointer).toBe('/label');
  });

  it('refuses half of a character', async () => {
    const { status, body } = await server.call('createCohort', { body: '{"label": "a\\ud83e"}' });
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({ pointer: '/label', detail: expect.stringContaining('lone surrogate') });
  });

  it('tells labels apart by case', async () => {
    for (const label of ['Case', 'case']) {
      expect((await server.call('createCohort', { body: { label } })).status).toBe(201);
    }
  });
});

describe('a label in another form of Unicode', () => {
  const [composed, decomposed] = ['Zu\u0308rich'.normalize('NFC'), 'Zürich'.normalize('NFD')];

  it('is stored composed, and is the same label everywhere', async () => {
    const { body: cohort } = await server.call('createCohort', { body: { label: decomposed } });
    expect(cohort.label).toBe(composed);
    expect((await server.call('createCohort', { body: { label: composed } })).status).toBe(409);
    const { body: subject } = await server.call('createSubject', { body: { label: 's', cohort_label: decomposed } });
    expect(subject.cohort.label).toBe(composed);
    expect((await server.call('getCohortByLabel', { params: { label: decomposed } })).body.id).toBe(cohort.id);
    const { body: filtered } = await server.call('listSubjects', { query: { cohort_label: decomposed } });
    expect(filtered.subjects).toHaveLength(1);
  });

  it('is counted composed: 255 letters with a mark each fit', async () => {
    const label = 'ü'.normalize('NFD').repeat(255);
    expect((await server.call('createCohort', { body: { label } })).status).toBe(201);
  });
});

describe('POST /subjects', () => {
  it('takes by-label as a label, which only cohorts and workflows cannot have', async () => {
    expect((await server.call('createSubject', { body: { label: 'by-label', cohort_label: 'home' } })).status).toBe(
      201,
    );
    const params = { label: 'home', subject_label: 'by-label' };
    expect((await server.call('getCohortSubject', { params })).body.label).toBe('by-label');
  });

  it('takes the same label in two cohorts', async () => {
    await server.call('createCohort', { body: { label: 'away' } });
    for (const cohort_label of ['home', 'away']) {
      expect((await server.call('createSubject', { body: { label: 'both', cohort_label } })).status).toBe(201);
    }
  });
});

describe('a part of a path', () => {
  it.each(['0', '-1', '1.0', '1e3', '9007199254740992', '99999999999999999999', 'x', '%00', ' 1'])(
    'is 404 where an id is %j',
    async (id) => {
      for (const name of ['getCohort', 'getSubject', 'getRole', 'getExternalSystem', 'getUser'] as const) {
        expect((await server.call(name, { params: { id } })).body).toMatchObject({ status: 404, code: 'not_found' });
      }
    },
  );

  it('is 404 where a label could never be one', async () => {
    for (const label of ['x'.repeat(256), ' x', 'a\0b', '\u0085']) {
      expect((await server.call('getCohortByLabel', { params: { label } })).status).toBe(404);
    }
  });

  it('is read once percent-decoded: the name of a system with slash, space and percent sign (V1.1.1)', async () => {
    const { body: cohort } = await server.call('createCohort', { body: { label: 'with a system' } });
    const params = { id: cohort.id, system_name: 'a/b %' };
    expect((await server.call('getExternalSystemByName', { params })).body.system_name).toBe('a/b %');
    const { body } = await server.call('setCohortExternalUrl', { params, body: { external_url: 'https://x' } });
    expect(body.external_urls).toEqual({ 'a/b %': 'https://x' });
    expect((await server.call('deleteCohortExternalUrl', { params })).body.external_urls).toEqual({});
  });

  it('is 400 where it is not percent-encoded text', async () => {
    const response = await fetch(`${server.baseUrl}/cohorts/by-label/%E4%`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'malformed_request' });
  });
});
