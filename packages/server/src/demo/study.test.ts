/** The example workflow and study that the demo shows. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readDefinitionFile } from '../engine/definitions/read-definition-file.ts';
import { baseline, subjects, visit } from './study.ts';
import { refuses } from './trouble.ts';

const file = await readFile(new URL('../../../../examples/brain-mri.yaml', import.meta.url), 'utf8');

describe('examples/brain-mri.yaml', () => {
  it('is read without faults and warnings', () => {
    const reading = readDefinitionFile(file, '');
    expect(reading).toMatchObject({ faults: [], warnings: [] });
    expect(reading.definition?.states).toHaveLength(15);
  });
});

describe('the study of the demo', () => {
  it('has 300 subjects, each with a baseline scan that stands in a state of the workflow or begins', () => {
    expect(new Set(subjects.map(({ label }) => label)).size).toBe(300);
    expect(new Set(baseline.map(({ label }) => label)).size).toBe(300);
    const states = new Set(baseline.map(({ state }) => state));
    for (const state of states) expect(file).toContain(`- label: ${state ?? 'arrived'}\n`);
    expect(states).toContain(undefined);
  });

  it('never runs out of visits that are new', () => {
    const labels = Array.from({ length: 3000 }, (_, number) => visit(number).label);
    expect(new Set(labels).size).toBe(3000);
    expect(labels.slice(0, 300).every((label) => label.endsWith('-month-06'))).toBe(true);
  });

  it('has experiments that need somebody soon after the start', () => {
    const walking = baseline.filter(({ state }) => state === undefined);
    const stuck = walking.filter(({ label }) => refuses('deface', label, 1) || refuses('scrub', label, 1));
    expect(walking.length).toBeGreaterThan(20);
    expect(walking.length).toBeLessThan(50);
    expect(stuck.length).toBeGreaterThan(0);
  });
});
