import { describe, expect, it } from 'vitest';
import { readCondition } from './read-condition.ts';
import { fieldReadsOf, valueReadsOf } from './value-paths.ts';

const readsOf = (text: string) => {
  const { condition, faults } = readCondition(text, { kind: 'transition' });
  expect(faults).toEqual([]);
  return valueReadsOf(condition).map(({ callback = '*', path }) => [callback, ...path]);
};

describe('the result values that a condition reads', () => {
  it.each<[string, unknown[]]>([
    ['', []],
    ["experiment.variables['result_values'].body == 1", []],
    ["callbacks['x'].result == 'success' && callbacks.x.status == 'finished'", []],
    ["callbacks['x'].result_values.body['a b'].c == 1", [['x', 'body', 'a b', 'c']]],
    ['callbacks.x.result_values.list[3].name == 1', [['x', 'list', 3, 'name']]],
    ['callbacks.x.result_values.list[-1] == 1', [['x', 'list']]],
    ['callbacks.x.result_values == null', [['x']]],
    ['callbacks.x == null', [['x']]],
    ['callbacks == null', [['*']]],
    ["'a' in callbacks.x.result_values.body", [['x', 'body']]],
    ['has(callbacks.x.result_values.body.a)', [['x', 'body', 'a']]],
    ['size(callbacks.x.result_values.body) == 1', [['x', 'body']]],
    ['callbacks.x.result_values.list.all(one, one.ok == true)', [['x', 'list']]],
    [
      "callbacks['x'].result_values.get('a', 1) == 1",
      [
        ['x', 'a'],
        ['x', 'a'],
      ],
    ],
  ])('of %j are %j', (text, expected) => {
    expect(readsOf(text)).toEqual(expected);
  });

  it.each<[string, unknown[]]>([
    ['callbacks[experiment.label].result_values.a == 1', [['*', 'a']]],
    ['callbacks.all(c, callbacks[c].result_values.a == 1)', [['*', 'a']]],
    ['callbacks.x.result_values.list[experiment.variables.n].a == 1', [['x', 'list']]],
    ["callbacks.x.result_values['\\u0000'].a == 1", [['x']]],
    [
      'callbacks.x.result_values.list[callbacks.y.result_values.n] == 1',
      [
        ['y', 'n'],
        ['x', 'list'],
      ],
    ],
    ['(experiment.label == "a" ? callbacks.x : callbacks.y).result_values.a == 1', [['x'], ['y']]],
  ])('of %j, whose path is computed, are %j', (text, expected) => {
    expect(readsOf(text)).toEqual(expected);
  });

  it.each([
    "callbacks.all(c, callbacks[c].result == 'success')",
    "'x' in callbacks",
    'size(callbacks) == 2 && callbacks.size() == 2',
    'has(callbacks.x) && has(callbacks["y"])',
  ])('of %j are none, because it reads only labels', (text) => {
    expect(readsOf(text)).toEqual([]);
  });
});

describe('the fields that a condition reads', () => {
  it.each<[string, string[]]>([
    ['', []],
    ["experiment.label == 'a' && subject.label == 'b' && cohort.label == 'c'", []],
    ["callbacks.x.result == 'success'", []],
    ['experiment.variables.n > 1', ['experiment.variables']],
    ["experiment.variables['n'] > 1", ['experiment.variables']],
    ['has(experiment.variables.n)', ['experiment.variables']],
    ["'XNAT' in experiment.external_ids", ['experiment.external_ids']],
    ["subject.external_ids.XNAT == 'a'", ['subject.external_ids']],
    ['callbacks.x.result_values.list[experiment.variables.n].a == 1', ['experiment.variables']],
    [
      'callbacks.all(c, experiment.external_ids[c] == subject.external_ids[c])',
      ['experiment.external_ids', 'subject.external_ids'],
    ],
  ])('of %j are %j', (text, expected) => {
    const { condition, faults } = readCondition(text, { kind: 'transition' });
    expect(faults).toEqual([]);
    expect([...fieldReadsOf(condition)]).toEqual(expected);
  });
});
