/** Valid labels and their encoding, which are the same for every label in the API. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

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
    ['only three dots', '...'],
    ['a backslash and quotes', `\\"'`],
    ['a name of an object property', '__proto__'],
    ['right-to-left letters', 'עברית'],
    ['only digits', '12'],
  ])('creates a cohort that can be found by a label with %s', async (_what, label) => {
    const { status, body } = await server.call('createCohort', { body: { label } });
    expect(status).toBe(201);
    expect(body.label).toBe(label);
    expect((await server.call('getCohortByLabel', { params: { label } })).body.id).toBe(body.id);
    expect((await server.call('listCohortSubjects', { params: { label } })).body).toEqual({ subjects: [] });
    expect((await server.call('listSubjects', { query: { cohort_label: label } })).body).toEqual({ subjects: [] });
  });

  it.each([
    ['no characters', ''],
    ['256 characters', 'x'.repeat(256)],
    ['256 characters of two code units each', brain.repeat(256)],
    ['a leading space', ' x'],
    ['a trailing space', 'x '],
    ['a trailing no-break space', 'x\u00a0'],
    ['a line break inside', 'a\nb'],
    ['a tab inside', 'a\tb'],
    ['a C1 control character', 'a\u0085b'],
    ['a NUL character', 'a\0b'],
    ['only one dot', '.'],
    ['only two dots', '..'],
    ['only the reserved text by-label', 'by-label'],
  ])('rejects a label with %s', async (_what, label) => {
    const { status, body } = await server.call('createCohort', { body: { label } });
    expect(status).toBe(400);
    expect(body.code).toBe('invalid_request');
    expect(body.errors[0].pointer).toBe('/label');
  });

  it('rejects a label with a lone surrogate', async () => {
    const { status, body } = await server.call('createCohort', { body: '{"label": "a\\ud83e"}' });
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({ pointer: '/label', detail: expect.stringContaining('lone surrogate') });
  });

  it('treats labels as case-sensitive', async () => {
    for (const label of ['Case', 'case']) {
      expect((await server.call('createCohort', { body: { label } })).status).toBe(201);
    }
  });
});

describe('a decomposed label', () => {
  const [composed, decomposed] = ['Zu\u0308rich'.normalize('NFC'), 'Zürich'.normalize('NFD')];

  it('is stored in NFC and matches the composed label everywhere', async () => {
    const { body: cohort } = await server.call('createCohort', { body: { label: decomposed } });
    expect(cohort.label).toBe(composed);
    expect((await server.call('createCohort', { body: { label: composed } })).status).toBe(409);
    const { body: subject } = await server.call('createSubject', { body: { label: 's', cohort_label: decomposed } });
    expect(subject.cohort.label).toBe(composed);
    expect((await server.call('getCohortByLabel', { params: { label: decomposed } })).body.id).toBe(cohort.id);
    const { body: filtered } = await server.call('listSubjects', { query: { cohort_label: decomposed } });
    expect(filtered.subjects).toHaveLength(1);
  });

  it('is accepted if it has 255 characters after composition', async () => {
    const label = 'ü'.normalize('NFD').repeat(255);
    expect((await server.call('createCohort', { body: { label } })).status).toBe(201);
  });
});

describe('POST /subjects', () => {
  it('accepts the label by-label, which is reserved only for cohorts and workflows', async () => {
    expect((await server.call('createSubject', { body: { label: 'by-label', cohort_label: 'home' } })).status).toBe(
      201,
    );
    const params = { label: 'home', subject_label: 'by-label' };
    expect((await server.call('getCohortSubject', { params })).body.label).toBe('by-label');
  });

  it('accepts the same label in two cohorts', async () => {
    await server.call('createCohort', { body: { label: 'away' } });
    for (const cohort_label of ['home', 'away']) {
      expect((await server.call('createSubject', { body: { label: 'both', cohort_label } })).status).toBe(201);
    }
  });
});

describe('a path', () => {
  it.each(['0', '-1', '1.0', '1e3', '9007199254740992', '99999999999999999999', 'x', '%00', ' 1'])(
    'with the id %j returns 404',
    async (id) => {
      for (const name of ['getCohort', 'getSubject', 'getRole', 'getExternalSystem', 'getUser'] as const) {
        expect((await server.call(name, { params: { id } })).body).toMatchObject({ status: 404, code: 'not_found' });
      }
    },
  );

  it('with an invalid label returns 404', async () => {
    for (const label of ['x'.repeat(256), ' x', 'a\0b', '\u0085']) {
      expect((await server.call('getCohortByLabel', { params: { label } })).status).toBe(404);
    }
  });

  it('is percent-decoded once, for example in a system name with a slash, a space and a percent sign (V1.1.1)', async () => {
    const { body: cohort } = await server.call('createCohort', { body: { label: 'with a system' } });
    const params = { id: cohort.id, system_name: 'a/b %' };
    expect((await server.call('getExternalSystemByName', { params })).body.system_name).toBe('a/b %');
    const { body } = await server.call('setCohortExternalUrl', { params, body: { external_url: 'https://x' } });
    expect(body.external_urls).toEqual({ 'a/b %': 'https://x' });
    expect((await server.call('deleteCohortExternalUrl', { params })).body.external_urls).toEqual({});
  });

  it('with invalid percent-encoding returns 400', async () => {
    const response = await fetch(`${server.baseUrl}/cohorts/by-label/%E4%`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'malformed_request' });
  });
});
