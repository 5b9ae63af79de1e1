import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { IsDate, IsDateTime } from 'typebox/format';
import { describe, expect, it } from 'vitest';
import type { Operation } from './operation.ts';
import { operationNames, operations, sections } from './operations.ts';
import { answersOf, takesKey } from './statuses.ts';
import * as v from './values.ts';

// The server knows the last one; here the pattern beside it is enough.
const formats = { date: IsDate, 'date-time': IsDateTime, 'scan-date': true } as const;
const ajv = new Ajv2020({ strict: false, allErrors: true, formats });

const faultsIn = (schema: TSchema, value: unknown) => {
  const validate = ajv.compile(schema);
  return validate(value) ? [] : validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`);
};

const all: [string, Operation][] = operationNames.map((name) => [name, operations[name]]);

describe.each(all)('%s', (_name, operation) => {
  it('says what it does, who may do it and what it answers', () => {
    expect(operation.summary).toMatch(/^[A-Z][^.]+$/);
    expect(operation.description).toMatch(/^[A-Z`].+\.$/s);
    expect(operation.access.kind).toBeTruthy();
    for (const meaning of Object.values(answersOf(operation))) expect(meaning).toMatch(/^[A-Z`].+\.$/);
    expect(Object.keys(operation.statuses).some((status) => Number(status) < 300)).toBe(true);
  });

  it('has examples that fit its schemas', () => {
    expect(faultsIn(operation.response, operation.example.response)).toEqual([]);
    expect(operation.example.body === undefined).toBe(operation.body === undefined);
    expect(faultsIn(operation.body ?? {}, operation.example.body)).toEqual([]);
  });
});

const takesPassword = ({ body }: Operation) =>
  Object.keys(body?.properties ?? {}).some((name) => /password|config_definition/.test(name));

describe('the table', () => {
  it('has every operation of every section once', () => {
    const names = Object.values(sections).flatMap((section) => Object.keys(section));
    expect(names).toEqual(operationNames);
  });

  it('lets nobody at the accounts of others by a role for cohorts', () => {
    const ofAccounts = all.filter(([, { access }]) => access.kind === 'own_account');
    expect(ofAccounts.filter(([, { installationWide }]) => !installationWide)).toEqual([]);
    expect(ofAccounts.length).toBeGreaterThan(0);
  });

  it('knows of every operation that takes a password, for what is kept of its requests', () => {
    const kept = all.filter(([, operation]) => takesKey(operation) && takesPassword(operation));
    expect(kept.filter(([, { carries }]) => carries !== 'passwords').map(([name]) => name)).toEqual([]);
    expect(kept.map(([name]) => name)).toEqual(['createUser', 'updateUser', 'importConfig', 'overwriteConfig']);
  });

  it('pages every list', () => {
    // A stream has no pages: it goes on behind the id of its last message.
    const lists = all.filter(([name, { stream }]) => name.startsWith('list') && !stream);
    for (const [, { query, newestFirst }] of lists) {
      const page = newestFirst ? ['limit', 'before'] : Object.keys(v.page);
      expect(Object.keys(query?.properties ?? {})).toEqual(expect.arrayContaining(page));
    }
  });

  it('derives further answers from what an operation is', () => {
    expect(Object.keys(answersOf(operations.getCohort)).map(Number)).toEqual([200, 400, 401, 403, 404, 429, 500, 503]);
    expect(answersOf(operations.createCohort)).toMatchObject({
      403: 'None of your roles has the permission sample_add.',
      415: 'The body is not JSON.',
    });
    expect(answersOf({ ...operations.checkTimeouts, access: { kind: 'public' } })).not.toHaveProperty('401');
  });
});

const fits = (schema: TSchema, value: unknown) => faultsIn(schema, value)?.length === 0;

describe('values', () => {
  it.each(['a', 'MC 0041', 'ü/ö', '...', '1', 'by-label'])('%j is a label', (label) => {
    expect(fits(v.Label, label)).toBe(true);
  });

  it.each(['', ' a', 'a ', '.', '..', 'a\nb', 'a\u0000', '\u0085', 'x'.repeat(256)])('%j is no label', (label) => {
    expect(fits(v.Label, label)).toBe(false);
  });

  it('keeps `by-label` free for the path, and the colon for credentials', () => {
    expect(fits(v.LabelBesideByLabel, 'by-label')).toBe(false);
    expect(fits(v.LabelBesideByLabel, 'by-label-2')).toBe(true);
    expect(fits(v.Username, 'a:b')).toBe(false);
    expect(fits(v.Username, 'j.jansen@example.org')).toBe(true);
  });

  it('counts a label in code points', () => {
    expect(fits(v.Label, '🧠'.repeat(255))).toBe(true);
    expect(fits(v.Label, '🧠'.repeat(256))).toBe(false);
  });

  it.each([
    '2019-01-01',
    '2019-01-01T10:00',
    '2019-01-01 10:00:00.5',
    '2019-01-01T10:00:00+02:00',
    '2019-01-01T10:00:00Z',
  ])('%s is a scan date', (scandate) => {
    expect(fits(v.ScandateInput, scandate)).toBe(true);
  });

  it.each(['', '2019', '01-01-2019', '2019-01-01T', '2019-01-01T10', '20190101'])('%j is no scan date', (scandate) => {
    expect(fits(v.ScandateInput, scandate)).toBe(false);
  });

  it('takes any of the names of a reference, but wants one', () => {
    const { body } = operations.createExternalSubjectLink;
    expect(fits(body, { external_id: 'x', subject: 'MC-0041', external_system_name: 'XNAT' })).toBe(true);
    expect(fits(body, { external_id: 'x', subject_id: 41 })).toBe(false);
    expect(fits(body, { external_id: 'x', external_system: 'XNAT' })).toBe(false);
  });
});
