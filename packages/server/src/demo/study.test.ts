/** The example workflow and study of the demo. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readDefinitionFile } from '@milepost/definitions';
import { baseline, subjects, visit } from './study.ts';
import { failsPermanently } from './failures.ts';

const file = await readFile(new URL('../../../../examples/brain-mri.yaml', import.meta.url), 'utf8');

describe('examples/brain-mri.yaml', () => {
  it('is valid and has no warnings', () => {
    const reading = readDefinitionFile(file, '');
    expect(reading).toMatchObject({ faults: [], warnings: [] });
    expect(reading.definition?.states).toHaveLength(15);
  });
});

describe('the demo study', () => {
  it('has 300 subjects, each with a baseline experiment in a state of the workflow', () => {
    expect(new Set(subjects.map(({ label }) => label)).size).toBe(300);
    expect(new Set(baseline.map(({ label }) => label)).size).toBe(300);
    const states = new Set(baseline.map(({ state }) => state));
    for (const state of states) expect(file).toContain(`- label: ${state ?? 'arrived'}\n`);
    expect(states).toContain(undefined);
  });

  it('has the values that matter for every imported decision, and one of them outside its limits', () => {
    const { definition } = readDefinitionFile(file, '');
    const shown = (state: string | undefined) =>
      definition?.states.find(({ label }) => label === state)?.decision?.show ?? [];
    const deciding = baseline.filter(({ state }) => shown(state).length > 0);
    expect(deciding.length).toBeGreaterThan(10);
    for (const { state, variables = {} } of deciding) {
      expect(Object.keys(variables).toSorted()).toEqual(
        shown(state)
          .map(({ variable }) => variable)
          .toSorted(),
      );
      const outside = shown(state).filter(({ variable, min, max }) => {
        const value = variables[variable] ?? 0;
        return value < (min ?? value) || value > (max ?? value);
      });
      expect(outside).toHaveLength(1);
    }
  });

  it('has unique labels for 3,000 follow-up experiments', () => {
    const labels = Array.from({ length: 3000 }, (_, number) => visit(number).label);
    expect(new Set(labels).size).toBe(3000);
    expect(labels.slice(0, 300).every((label) => label.endsWith('-month-06'))).toBe(true);
  });

  it('has experiments that need attention soon after the start', () => {
    const unprocessed = baseline.filter(({ state }) => state === undefined);
    const failing = unprocessed.filter(
      ({ label }) => failsPermanently('deface', label, 1) || failsPermanently('scrub', label, 1),
    );
    expect(unprocessed.length).toBeGreaterThan(20);
    expect(unprocessed.length).toBeLessThan(50);
    expect(failing.length).toBeGreaterThan(0);
  });
});
