import { describe, expect, it } from 'vitest';
import { readCondition } from './read-condition.ts';

const impossible = "callbacks['a'].result == 'sucess'";

describe('a comparison that is never true', () => {
  it('is rejected in a new condition, with the text that was probably meant', () => {
    const { condition, faults } = readCondition(impossible, { kind: 'transition', isNew: true });
    expect(condition).toBeUndefined();
    expect(faults).toEqual([
      { offset: 25, detail: `callbacks['a'].result is never 'sucess'. Did you mean "success"?` },
    ]);
  });

  it('still works in a stored condition', () => {
    expect(readCondition(impossible, { kind: 'transition' })).toMatchObject({
      condition: { cel: impossible },
      faults: [],
    });
  });

  it.each([
    "callbacks['a'].result != 'sucess'",
    "callbacks['a'].result in ['success', 'ok']",
    "experiment.variables.x == 'sucess'",
  ])('is not %s', (text) => {
    expect(readCondition(text, { kind: 'transition', isNew: true }).faults).toEqual([]);
  });
});
