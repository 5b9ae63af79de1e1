import { describe, expect, it } from 'vitest';
import { findGaps, mountedOperations } from './coverage.ts';
import type { Observed } from './driver.ts';
import { reportOn } from './report.ts';

const operation: Observed['operation'] = {
  section: 'Things',
  method: 'POST',
  path: '/things/{id}',
  request: { body: { label: 'string' }, query: { after: 'integer' } },
  response: { things: ['string'] },
  statuses: [200, 201, 404],
  x_fields: true,
};

const complete: Observed = {
  operation,
  answers: [{ status: 201, contentType: 'application/json', body: { things: ['a'] } }],
  faults: [],
  statuses: new Set([200, 201, 404]),
  sent: new Set(['label', 'after']),
  hollow: new Set(),
  full: new Set(['things']),
  excused: new Set(),
};

const key = 'POST /things/{id}';
const gaps = (changes: Partial<Observed>, mounted = [key], additions: string[] = []) =>
  findGaps(new Map([[key, { ...complete, ...changes }]]), new Set(mounted), new Set(additions));

describe('a scenario', () => {
  it('that saw everything has no gaps', () => {
    expect(gaps({})).toEqual([]);
  });

  it.each([
    ['never called', { answers: [] }],
    ['404 was never seen', { statuses: new Set([200, 201]) }],
    ['201 was never seen', { statuses: new Set([200, 404]) }],
    ['after was never sent', { sent: new Set(['label']) }],
    ['label was never sent', { sent: new Set(['after']) }],
    ['things was always empty', { hollow: new Set(['things']), full: new Set<string>() }],
    ['things is said to be empty, but was not', { excused: new Set(['things']) }],
  ])('%s', (gap, changes) => {
    expect(gaps(changes)).toEqual([`${key}: ${gap}`]);
  });

  it('may see an array empty once it saw it full, or where it says why', () => {
    expect(gaps({ hollow: new Set(['things']) })).toEqual([]);
    expect(gaps({ hollow: new Set(['things']), full: new Set(), excused: new Set(['things']) })).toEqual([]);
  });

  it('finds an operation that was taken out of the server', () => {
    expect(gaps({ answers: [] }, [])).toEqual([`${key}: specified, but not mounted`]);
  });

  it('takes one success for a creation, which has no use for the other', () => {
    const creation = { operation: { ...operation, path: '/cohorts' } };
    expect(gaps({ ...creation, statuses: new Set([201, 404]) })).toEqual([]);
    expect(gaps({ ...creation, statuses: new Set([404]) })).toEqual([`${key}: 200 or 201 (either) was never seen`]);
  });

  it('finds operations that are mounted without being specified or listed', () => {
    const mounted = [...mountedOperations({ paths: { '/things/{id}': { post: {} }, '/more': { get: {} } } })];
    expect(gaps({}, mounted)).toEqual(['GET /more: mounted, but neither specified nor listed in additions.json']);
    expect(gaps({}, mounted, ['operation Things: GET /more'])).toEqual([]);
  });
});

const report = (changes: Partial<Observed>, found: string[] = []) =>
  reportOn(new Map([[key, { ...complete, ...changes }]]), found);

describe('the report', () => {
  it('counts the operations that passed', () => {
    expect(report({})).toEqual({
      lines: ['Things: 1 of 1 operations, 1 answers, 0 faults', 'operations: 1 of 1, statuses: 3 of 3'],
      passed: true,
    });
  });

  it('does not pass or count what has a fault or a gap', () => {
    expect(report({ faults: ['id is missing'] })).toMatchObject({
      lines: [expect.any(String), `FAULT ${key}: id is missing`, 'operations: 0 of 1, statuses: 3 of 3'],
      passed: false,
    });
    expect(report({}, [`${key}: 404 was never seen`])).toMatchObject({ passed: false });
    expect(report({}, [`${key}: 404 was never seen`]).lines).toContain('operations: 0 of 1, statuses: 3 of 3');
    expect(report({ answers: [] }).lines).toContain('operations: 0 of 1, statuses: 3 of 3');
  });
});
