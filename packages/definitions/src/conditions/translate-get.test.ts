/** get() after an operator, with any key, with the default `{}`, and with a comma at the end. */
import { describe, expect, it } from 'vitest';
import { conditionInputs } from '../../testing/condition-inputs.ts';
import { evaluateCondition } from './evaluate-condition.ts';
import { readCondition } from './read-condition.ts';
import { translatePython } from './translate-python.ts';
import { tokensOf } from './tokens.ts';

describe('translatePython', () => {
  it.each([
    ["a.get('k', {})['l'] == 1", "a['k']['l'] == 1"],
    ["a.get('k', {}).l == 1", "a['k'].l == 1"],
    ["a.get( b.c ) == a.get(b + 'k', 0)", "a[b.c] == (has(a[b + 'k']) ? a[b + 'k'] : 0)"],
    ['all(a.get(k) is not None for k in b)', 'b.all(k, a[k] != null)'],
    ["1 + (a).get('k', 2)", "1 + (has((a)['k']) ? (a)['k'] : 2)"],
    ["-(a).get('k')", "-(a)['k']"],
    ["2 * [1][0].get('k') % [3][0]", "2 * [1][0]['k'] % [3][0]"],
    ["a.get('k',) == b.get('k', 0,)", "a['k'] == (has(b['k']) ? b['k'] : 0)"],
    ['all(x > 1 for x in a,)', 'a.all(x, x > 1)'],
    ['len(a,) in [1, 2,]', 'size(a) in [1, 2]'],
  ])('translates %s to %s', (python, cel) => {
    expect(translatePython(tokensOf(python).tokens)).toMatchObject({ cel, faults: [] });
  });
});

describe('a condition with get()', () => {
  it.each([
    ["1 + (experiment.variables['q']).get('n', 2) == 3", { q: {} }, true],
    ["-(experiment.variables).get('n', 0) < 1", { n: -1 }, false],
    ["2 * [experiment.variables][0].get('n', 0) > 1", { n: 1 }, true],
    ["all(experiment.variables.get(k) is not None for k in ['n'])", { n: 1 }, true],
    ["all(experiment.variables.get(k) is not None for k in ['n', 'm'])", { n: 1 }, false],
    ["experiment.variables.get('q', {})['n'] == 1", { q: { n: 1 } }, true],
    ["experiment.variables.get('q', {}).n == 1", {}, false],
    ["experiment.variables.get('n',) == 1", { n: 1 }, true],
    ["experiment.variables['xs'].get(1, 0) == 2", { xs: [1, 2] }, true],
    ["all(x > 1 for x in experiment.variables.get('xs', []),)", { xs: [2, 1] }, false],
  ])('such as %s is imported, and for %o its result is %s', (text, variables, holds) => {
    const { condition, faults } = readCondition(text, { kind: 'transition' });
    expect(faults).toEqual([]);
    const verdict = condition && evaluateCondition(condition, conditionInputs({ variables }));
    expect(verdict).toMatchObject({ holds, decided: true });
  });

  it('is imported if the value before the dot can never have names, and cannot be evaluated', () => {
    const { condition } = readCondition("2 * [1][0].get('n', 0) > 1", { kind: 'transition' });
    expect(condition && evaluateCondition(condition, conditionInputs())).toMatchObject({ decided: false });
  });
});
