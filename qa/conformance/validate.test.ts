import { describe, expect, it } from 'vitest';
import { validate } from './validate.ts';

const rules = {
  resources: {
    Ref: { id: 'integer', label: 'string', uri: 'string' },
    Subject: {
      id: 'integer',
      born: 'string',
      cohort: 'Ref',
      experiments: ['Ref'],
      external_ids: 'object',
      active: 'boolean',
    },
    Role: { permissions: ['string'] },
  },
  additions: new Set([
    'Subject.born also null',
    'Role.permissions also absent',
    'Subject.mood',
    'GET /things: response.count',
  ]),
};

const ref = { id: 1, label: 'a', uri: '/a/1' };
const subject = {
  id: 7,
  born: '1957-03-02',
  cohort: ref,
  experiments: [ref],
  external_ids: { XNAT: 'x' },
  active: true,
};

const violationsOf = (value: unknown, shape: Parameters<typeof validate>[1] = 'Subject') =>
  validate(rules, shape, value, 'GET /things').violations;

describe('validate', () => {
  it('accepts a response that matches the specification', () => {
    expect(violationsOf(subject)).toEqual([]);
    expect(violationsOf({ subjects: [subject, subject] }, { subjects: ['Subject'] })).toEqual([]);
  });

  it('reports a missing field at any depth', () => {
    const { born: _, ...withoutBorn } = subject;
    expect(violationsOf(withoutBorn)).toEqual(['born is missing']);
    expect(violationsOf({ ...subject, cohort: { id: 1, uri: '/a/1' } })).toEqual(['cohort.label is missing']);
    expect(violationsOf({ ...subject, experiments: [ref, { id: 1, label: 'a' }] })).toEqual([
      'experiments[1].uri is missing',
    ]);
    expect(violationsOf({}, { subjects: ['Ref'] })).toEqual(['subjects is missing']);
  });

  it('accepts a missing field that can be absent, and counts it as empty', () => {
    expect(validate(rules, 'Role', {}, 'GET /things')).toEqual({
      violations: [],
      empty: ['permissions'],
      nonEmpty: [],
    });
  });

  it.each([
    ['id', '7', 'id is string, not integer'],
    ['id', 7.5, 'id is the number 7.5, not integer'],
    ['id', 2 ** 60, `id is the number ${2 ** 60}, not integer`],
    ['id', null, 'id is null, not integer'],
    ['born', 1957, 'born is number, not string'],
    ['active', 'true', 'active is string, not boolean'],
    ['external_ids', [], 'external_ids is an array, not object'],
    ['external_ids', null, 'external_ids is null, not object'],
    ['external_ids', '{}', 'external_ids is string, not object'],
    ['cohort', 'a', 'cohort is string, not an object'],
    ['cohort', [ref], 'cohort is an array, not an object'],
    ['experiments', {}, 'experiments is object, not an array'],
    ['experiments', null, 'experiments is null, not an array'],
    ['experiments', [null], 'experiments[0] is null, not an object'],
  ])('reports the wrong type if %s is %j', (field, value, violation) => {
    expect(violationsOf({ ...subject, [field]: value })).toEqual([violation]);
  });

  it('reports array elements of the wrong type', () => {
    expect(violationsOf({ permissions: ['a', 1] }, 'Role')).toEqual(['permissions[1] is number, not string']);
  });

  it('reports an additional field unless it is listed as an addition', () => {
    expect(violationsOf({ ...subject, age: 1 })).toEqual(['age is not specified']);
    expect(violationsOf({ ...subject, cohort: { ...ref, mood: 1 } })).toEqual(['cohort.mood is not specified']);
    expect(violationsOf({ ...subject, mood: 1 })).toEqual([]);
    expect(violationsOf({ refs: [ref], count: 1, sum: 1 }, { refs: ['Ref'] })).toEqual(['sum is not specified']);
  });

  it('reports a response that is not an object', () => {
    expect(violationsOf(undefined)).toEqual(['the response is undefined, not an object']);
    expect(violationsOf([subject])).toEqual(['the response is an array, not an object']);
  });

  it('accepts any response that the specification does not describe', () => {
    expect(violationsOf({ anything: [1] }, 'unknown')).toEqual([]);
  });

  it('returns the empty and the non-empty fields', () => {
    const { violations, empty, nonEmpty } = validate(rules, 'Subject', { ...subject, born: null, experiments: [] }, '');
    expect({ violations, empty, nonEmpty }).toEqual({ violations: [], empty: ['born', 'experiments'], nonEmpty: [] });
    const list = validate(
      rules,
      { subjects: ['Subject'] },
      { subjects: [subject, { ...subject, experiments: [] }] },
      '',
    );
    expect(list.empty).toEqual(['subjects[].experiments']);
    expect(list.nonEmpty).toEqual(['subjects', 'subjects[].born', 'subjects[].experiments', 'subjects[].born']);
  });
});
