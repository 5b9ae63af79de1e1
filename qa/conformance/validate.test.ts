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
  additions: new Set(['Subject.born also null', 'Subject.mood', 'GET /things: answer.count']),
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

const faultsOf = (value: unknown, shape: Parameters<typeof validate>[1] = 'Subject') =>
  validate(rules, shape, value, 'GET /things').faults;

describe('an answer', () => {
  it('that is as specified has no faults', () => {
    expect(faultsOf(subject)).toEqual([]);
    expect(faultsOf({ subjects: [subject, subject] }, { subjects: ['Subject'] })).toEqual([]);
  });

  it('without a field is reported, at any depth', () => {
    const { born: _, ...withoutBorn } = subject;
    expect(faultsOf(withoutBorn)).toEqual(['born is missing']);
    expect(faultsOf({ ...subject, cohort: { id: 1, uri: '/a/1' } })).toEqual(['cohort.label is missing']);
    expect(faultsOf({ ...subject, experiments: [ref, { id: 1, label: 'a' }] })).toEqual([
      'experiments[1].uri is missing',
    ]);
    expect(faultsOf({}, { subjects: ['Ref'] })).toEqual(['subjects is missing']);
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
  ])('whose %s is %j is reported', (field, value, fault) => {
    expect(faultsOf({ ...subject, [field]: value })).toEqual([fault]);
  });

  it('with elements of another type is reported', () => {
    expect(faultsOf({ permissions: ['a', 1] }, 'Role')).toEqual(['permissions[1] is number, not string']);
  });

  it('with a field more is reported unless it is listed', () => {
    expect(faultsOf({ ...subject, age: 1 })).toEqual(['age is not specified']);
    expect(faultsOf({ ...subject, cohort: { ...ref, mood: 1 } })).toEqual(['cohort.mood is not specified']);
    expect(faultsOf({ ...subject, mood: 1 })).toEqual([]);
    expect(faultsOf({ refs: [ref], count: 1, sum: 1 }, { refs: ['Ref'] })).toEqual(['sum is not specified']);
  });

  it('that is not an object is reported', () => {
    expect(faultsOf(undefined)).toEqual(['the answer is undefined, not an object']);
    expect(faultsOf([subject])).toEqual(['the answer is an array, not an object']);
  });

  it('may be anything where the specification does not show it', () => {
    expect(faultsOf({ anything: [1] }, 'unknown')).toEqual([]);
  });

  it('tells which places showed nothing', () => {
    const { faults, hollow, full } = validate(rules, 'Subject', { ...subject, born: null, experiments: [] }, '');
    expect({ faults, hollow, full }).toEqual({ faults: [], hollow: ['born', 'experiments'], full: [] });
    const list = validate(
      rules,
      { subjects: ['Subject'] },
      { subjects: [subject, { ...subject, experiments: [] }] },
      '',
    );
    expect(list.hollow).toEqual(['subjects[].experiments']);
    expect(list.full).toEqual(['subjects', 'subjects[].born', 'subjects[].experiments', 'subjects[].born']);
  });
});
