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
  responses: [{ status: 201, contentType: 'application/json', body: { things: ['a'] } }],
  violations: [],
  statuses: new Set([200, 201, 404]),
  sent: new Set(['label', 'after']),
  empty: new Set(),
  nonEmpty: new Set(['things']),
  allowedEmpty: new Set(),
};

const key = 'POST /things/{id}';
const gaps = (changes: Partial<Observed>, mounted = new Map([[key, 'Things']]), additions: string[] = []) =>
  findGaps(new Map([[key, { ...complete, ...changes }]]), mounted, new Set(additions));

describe('findGaps', () => {
  it('finds no gaps in a complete scenario', () => {
    expect(gaps({})).toEqual([]);
  });

  it.each([
    ['never called', { responses: [] }],
    ['404 was never returned', { statuses: new Set([200, 201]) }],
    ['201 was never returned', { statuses: new Set([200, 404]) }],
    ['after was never sent', { sent: new Set(['label']) }],
    ['label was never sent', { sent: new Set(['after']) }],
    ['things was always empty', { empty: new Set(['things']), nonEmpty: new Set<string>() }],
    ['things is marked as always empty, but was not', { allowedEmpty: new Set(['things']) }],
  ])('reports "%s"', (gap, changes) => {
    expect(gaps(changes)).toEqual([`${key}: ${gap}`]);
  });

  it('accepts an array that is empty in only some responses or is marked as always empty', () => {
    expect(gaps({ empty: new Set(['things']) })).toEqual([]);
    expect(gaps({ empty: new Set(['things']), nonEmpty: new Set(), allowedEmpty: new Set(['things']) })).toEqual([]);
  });

  it('reports a specified operation that the server does not mount', () => {
    expect(gaps({ responses: [] }, new Map())).toEqual([`${key}: specified, but not mounted`]);
  });

  it('requires only one of 200 and 201 for a creation', () => {
    const creation = { operation: { ...operation, path: '/cohorts' } };
    expect(gaps({ ...creation, statuses: new Set([201, 404]) })).toEqual([]);
    expect(gaps({ ...creation, statuses: new Set([404]) })).toEqual([`${key}: 200 or 201 (either) was never returned`]);
  });

  it('reports mounted operations that are neither specified nor in a listed section', () => {
    const paths = { '/things/{id}': { post: { tags: ['Things'] } }, '/more': { get: { tags: ['More'] } } };
    const mounted = mountedOperations({ paths });
    const gap = 'GET /more: mounted, but neither specified nor in a section of additions.json';
    expect(gaps({}, mounted)).toEqual([gap]);
    expect(gaps({}, mounted, ['section More'])).toEqual([]);
  });
});

const report = (changes: Partial<Observed>, found: string[] = []) =>
  reportOn(new Map([[key, { ...complete, ...changes }]]), found);

const summary = (operations: string, statuses: string, merged = 'none') => [
  `operations named in the specification: 1, passed: ${operations}`,
  `statuses named in the specification: 3, reachable: ${statuses}`,
  `merged, because a creation returns only one of 200 and 201: ${merged}`,
];

describe('reportOn', () => {
  it('counts the operations that passed, and the statuses that are named, reachable and reached', () => {
    expect(report({})).toEqual({
      lines: ['Things: 1 of 1 operations, 1 responses, 0 violations', ...summary('1', '3, reached: 3')],
      passed: true,
    });
  });

  it('counts 200 and 201 of a creation as one reachable status, and names the operation', () => {
    const creation = { operation: { ...operation, path: '/cohorts' }, statuses: new Set([201, 404]) };
    const lines = reportOn(new Map([['POST /cohorts', { ...complete, ...creation }]]), []).lines;
    expect(lines.slice(1)).toEqual(summary('1', '2, reached: 2', 'POST /cohorts'));
  });

  it('does not count a status that was never returned as reached', () => {
    const lines = report({ statuses: new Set([200, 201]) }, [`${key}: 404 was never returned`]).lines;
    expect(lines.slice(2)).toEqual(summary('0', '3, reached: 2'));
  });

  it('fails if an operation has a violation or a gap, and does not count the operation', () => {
    expect(report({ violations: ['id is missing'] })).toMatchObject({
      lines: [expect.any(String), `ERROR ${key}: id is missing`, ...summary('0', '3, reached: 3')],
      passed: false,
    });
    expect(report({}, [`${key}: 404 was never returned`])).toMatchObject({ passed: false });
    expect(report({}, [`${key}: 404 was never returned`]).lines).toContain(summary('0', '')[0]);
    expect(report({ responses: [] }).lines).toContain(summary('0', '')[0]);
  });
});
