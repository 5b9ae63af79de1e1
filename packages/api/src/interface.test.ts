import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { interfaceDifferences, type Specification } from '../testing/interface-differences.ts';
import { additions, specification } from '../testing/specification.ts';
import type { Operation, Operations } from './operation.ts';
import { sections } from './operations.ts';

const listed = additions.flatMap((group) => group.additions).toSorted();

describe('the table of operations', () => {
  const differences = interfaceDifferences(specification, sections);

  it('contains every operation as specified', () => {
    expect(specification.operations).toHaveLength(78);
    expect(differences.faults).toEqual([]);
  });

  it('differs from the specification only by the additions in additions.json', () => {
    expect(differences.additions).toEqual(listed);
  });
});

describe('additions.json', () => {
  it('lists each addition once, with a reason', () => {
    for (const { reason } of additions) expect(reason).toMatch(/^[A-Z].+\.$/);
    expect(new Set(listed).size).toBe(listed.length);
  });
});

const newIn = (found: string[], known: string[]) => found.filter((difference) => !known.includes(difference));

const afterSpecifying = (change: (copy: Specification) => void) => {
  const copy = structuredClone(specification);
  change(copy);
  const { faults, additions: added } = interfaceDifferences(copy, sections);
  return [...faults, ...newIn(added, listed)];
};

const cohorts: Operations = sections.Cohorts;

const afterChanging = (name: string, change: (operation: Operation) => Operation) => {
  const operation = cohorts[name];
  if (operation === undefined) throw new Error(`No operation ${name}`);
  const changed = { ...sections, Cohorts: { ...cohorts, [name]: change(operation) } };
  const { faults, additions: added } = interfaceDifferences(specification, changed);
  return [...faults, ...newIn(added, listed)];
};

describe('the comparison with the specification', () => {
  it('reports a missing body field', () => {
    const found = afterChanging('createCohort', (operation) => ({
      ...operation,
      body: Type.Object({ label: Type.String() }),
    }));
    expect(found).toEqual(['POST /cohorts: body field description is missing']);
  });

  it('reports a field with a different type', () => {
    const found = afterSpecifying(({ resources }) => Object.assign(resources.Cohort ?? {}, { label: 'integer' }));
    expect(found).toEqual(['Cohort.label is string, not integer']);
  });

  it('reports a missing response field', () => {
    const found = afterSpecifying(({ resources }) => Object.assign(resources.Scan ?? {}, { quality: 'string' }));
    expect(found).toEqual(['Scan.quality is missing']);
  });

  it('reports a response field that is not specified', () => {
    const found = afterSpecifying(({ resources }) => delete Object(resources.Scan).scantype);
    expect(found).toEqual(['Scan.scantype']);
  });

  it('reports a status that is neither specified nor listed as an addition', () => {
    const found = afterChanging('getCohort', (operation) => ({
      ...operation,
      statuses: { ...operation.statuses, 410: 'Gone.' },
    }));
    expect(found).toEqual(['GET /cohorts/{id}: status 410']);
  });

  it('reports a missing status', () => {
    const found = afterSpecifying(({ operations }) => operations[0]?.statuses.push(202));
    expect(found).toEqual(['GET /actions: status 202 is missing']);
  });

  it('reports differences in query parameters, paths and masks', () => {
    const found = afterSpecifying(({ operations }) => {
      Object.assign(operations[0]?.request ?? {}, { query: { since: 'string' } });
      Object.assign(operations[1] ?? {}, { x_fields: false });
      Object.assign(operations[2] ?? {}, { path: '/actions/{id}/end' });
    });
    expect(found).toEqual([
      'Actions: PUT /actions/{id}/end is missing',
      'GET /actions/{id}: X-Fields',
      'GET /actions: query parameter since is missing',
      'operation Actions: PUT /actions/{id}',
    ]);
  });

  it('detects a listed addition that no longer exists', () => {
    const changed = {
      ...sections,
      Cohorts: { ...cohorts, updateCohort: { ...cohorts.updateCohort, statuses: { 200: '' } } },
    };
    const { additions: found } = interfaceDifferences(specification, Object(changed));
    expect(listed.filter((addition) => !found.includes(addition))).toEqual(['PUT /cohorts/{id}: status 409']);
  });
});
