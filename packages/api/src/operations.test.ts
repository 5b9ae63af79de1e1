import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { IsDate, IsDateTime } from 'typebox/format';
import { describe, expect, it } from 'vitest';
import type { Operation } from './operation.ts';
import { operationNames, operations, sections } from './operations.ts';
import { permissions, unusedPermissions } from './permission.ts';
import { absentIfNull, asJsonSchema, type JsonSchema } from './schema.ts';
import { acceptsIdempotencyKey, responsesOf } from './statuses.ts';
import { scanDate } from './validation/formats.ts';
import * as v from './values.ts';

const formats = { date: IsDate, 'date-time': IsDateTime, 'scan-date': scanDate };
const ajv = new Ajv2020({ strict: false, allErrors: true, formats });

const errorsIn = (schema: TSchema, value: unknown) => {
  const validate = ajv.compile(schema);
  return validate(value) ? [] : validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`);
};

const all: [string, Operation][] = operationNames.map((name) => [name, operations[name]]);

describe.each(all)('%s', (_name, operation) => {
  it('has a summary, a description, an access rule and described statuses', () => {
    expect(operation.summary).toMatch(/^[A-Z][^.]+$/);
    expect(operation.description).toMatch(/^[A-Z`].+\.$/s);
    expect(operation.access.kind).toBeTruthy();
    for (const meaning of Object.values(responsesOf(operation))) expect(meaning).toMatch(/^[A-Z`].+\.$/);
    expect(Object.keys(operation.statuses).some((status) => Number(status) < 300)).toBe(true);
  });

  it('has examples that match its schemas', () => {
    expect(errorsIn(operation.response, operation.example.response)).toEqual([]);
    expect(operation.example.body === undefined).toBe(operation.body === undefined);
    expect(errorsIn(operation.body ?? {}, operation.example.body)).toEqual([]);
  });
});

const takesPassword = ({ body }: Operation) =>
  Object.keys(body?.properties ?? {}).some((name) => /password|config_definition/.test(name));

describe('the table of operations', () => {
  it('contains every operation of every section once', () => {
    const names = Object.values(sections).flatMap((section) => Object.keys(section));
    expect(names).toEqual(operationNames);
  });

  it('requires every permission but `user_read` and the unused ones', () => {
    const required = new Set(
      all.flatMap(([, { access }]) => ('permission' in access ? (access.permission ?? []) : [])),
    );
    expect(permissions.filter((permission) => !required.has(permission)).toSorted()).toEqual(
      ['user_read', ...unusedPermissions].toSorted(),
    );
  });

  it('requires a role for all cohorts for access to other accounts', () => {
    const ofAccounts = all.filter(([, { access }]) => access.kind === 'own_account');
    expect(ofAccounts.filter(([, { installationWide }]) => !installationWide)).toEqual([]);
    expect(ofAccounts.length).toBeGreaterThan(0);
  });

  it('marks every operation that accepts both an idempotency key and a password', () => {
    const stored = all.filter(([, operation]) => acceptsIdempotencyKey(operation) && takesPassword(operation));
    expect(stored.filter(([, { carries }]) => carries !== 'passwords').map(([name]) => name)).toEqual([]);
    expect(stored.map(([name]) => name)).toEqual(['createUser', 'updateUser', 'importConfig', 'overwriteConfig']);
  });

  it('defines page parameters for every list', () => {
    // A stream has no pages. It resumes after the id of its last message.
    const lists = all.filter(([name, { stream }]) => name.startsWith('list') && !stream);
    for (const [, { query, newestFirst }] of lists) {
      const page = newestFirst ? ['limit', 'before'] : Object.keys(v.page);
      expect(Object.keys(query?.properties ?? {})).toEqual(expect.arrayContaining(page));
    }
  });

  it('derives common statuses from the properties of an operation', () => {
    expect(Object.keys(responsesOf(operations.getCohort)).map(Number)).toEqual([
      200, 400, 401, 403, 404, 408, 414, 429, 431, 500, 503,
    ]);
    expect(responsesOf(operations.createCohort)).toMatchObject({
      403: 'You need the permission `sample_add`.',
      415: 'The `Content-Type` is not `application/json`, or its charset is not UTF-8.',
    });
    expect(responsesOf({ ...operations.checkTimeouts, access: { kind: 'public' } })).not.toHaveProperty('401');
  });
});

/** Null for these fields is rejected, because they are credentials, checks or grants. */
const guards = [
  'updateCallbackExecution.secret_key',
  'updateCallbackExecution.secret',
  'setExperimentState.expected_state',
  'createUser.all_cohorts',
  'createUser.roles',
  'updateUser.current_password',
  'renewClaim.attempt',
  'createBulkOperation.dry_run',
  'createApiToken.current_password',
];

/** What null means for each optional field of a body. */
const nullsIn = ({ properties = {}, required = [] }: JsonSchema): [string, string][] =>
  Object.entries(properties)
    .filter(([name, { readOnly }]) => readOnly !== true && !required.includes(name))
    .map(([name, { anyOf, 'x-null': onNull }]) => [
      name,
      onNull ?? (anyOf?.some(({ type }) => type === 'null') ? 'cleared' : 'undecided'),
    ]);

describe('null for an optional field of a body', () => {
  const fields = all.flatMap(([operation, { method, body = {} }]) =>
    nullsIn(asJsonSchema(body)).map(([name, onNull]) => ({ field: `${operation}.${name}`, method, onNull })),
  );

  it('is decided for every field', () => {
    expect(fields.filter(({ onNull }) => onNull === 'undecided')).toEqual([]);
    expect(fields.length).toBeGreaterThan(60);
  });

  it('is rejected for guards and for no other field', () => {
    expect(fields.filter(({ onNull }) => onNull === 'rejected').map(({ field }) => field)).toEqual(guards);
  });

  it('clears a field only in PUT, and in a bulk operation that removes assignments', () => {
    const cleared = fields.filter(({ method, onNull }) => onNull === 'cleared' && method !== 'PUT');
    expect(cleared.map(({ field }) => field)).toEqual(['createBulkOperation.user_id']);
  });
});

/** The fields of a response that can be absent, except those of problem objects. */
const absentIn = (schema: JsonSchema, place: string): string[] => {
  if (schema.title === 'StateRefusal') return [];
  const { properties = {}, required = [], anyOf = [], items } = schema;
  return [
    ...Object.keys(properties)
      .filter((name) => !required.includes(name))
      .map((name) => `${place}.${name}`),
    ...Object.entries(properties).flatMap(([name, field]) => absentIn(field, `${place}.${name}`)),
    ...[...anyOf, ...(items ? [items] : [])].flatMap((inner) => absentIn(inner, place)),
  ];
};

describe('the fields of a response', () => {
  it('are always present, except the error of a state change', () => {
    const absent = all.flatMap(([name, { response }]) => absentIn(asJsonSchema(response), name));
    expect(absent).toEqual(['setExperimentState.error']);
    expect(absentIfNull(asJsonSchema(operations.setExperimentState.response))).toEqual(['error']);
  });
});

const isValid = (schema: TSchema, value: unknown) => errorsIn(schema, value)?.length === 0;

describe('input validation', () => {
  it.each(['a', 'MC 0041', 'ü/ö', '...', '1', 'by-label'])('accepts %j as a label', (label) => {
    expect(isValid(v.Label, label)).toBe(true);
  });

  it.each(['', ' a', 'a ', '.', '..', 'a\nb', 'a\u0000', '\u0085', 'x'.repeat(256)])(
    'rejects %j as a label',
    (label) => {
      expect(isValid(v.Label, label)).toBe(false);
    },
  );

  it('rejects the label `by-label` where a path reserves it, and rejects a colon in a username', () => {
    expect(isValid(v.UnreservedLabel, 'by-label')).toBe(false);
    expect(isValid(v.UnreservedLabel, 'by-label-2')).toBe(true);
    expect(isValid(v.Username, 'a:b')).toBe(false);
    expect(isValid(v.Username, 'j.jansen@example.org')).toBe(true);
  });

  it('counts the length of a label in code points', () => {
    expect(isValid(v.Label, '🧠'.repeat(255))).toBe(true);
    expect(isValid(v.Label, '🧠'.repeat(256))).toBe(false);
  });

  it.each([
    '2019-01-01',
    '2019-01-01T10:00',
    '2019-01-01 10:00:00.5',
    '2019-01-01T10:00:00+02:00',
    '2019-01-01T10:00:00Z',
  ])('accepts %s as a scan date', (scandate) => {
    expect(isValid(v.ScandateInput, scandate)).toBe(true);
  });

  it.each(['', '2019', '01-01-2019', '2019-01-01T', '2019-01-01T10', '20190101'])(
    'rejects %j as a scan date',
    (scandate) => {
      expect(isValid(v.ScandateInput, scandate)).toBe(false);
    },
  );

  it('requires each reference, and accepts any of its field names', () => {
    const { body } = operations.createExternalSubjectLink;
    expect(isValid(body, { external_id: 'x', subject: 'MC-0041', external_system_name: 'XNAT' })).toBe(true);
    expect(isValid(body, { external_id: 'x', subject_id: 41 })).toBe(false);
    expect(isValid(body, { external_id: 'x', external_system: 'XNAT' })).toBe(false);
  });
});
