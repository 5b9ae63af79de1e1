import { expect, it } from 'vitest';
import { demoGraph } from '../../../testing/workflow-graphs.ts';
import { isMainEdge, mainLine } from './main-line.ts';

it('follows the longest path in the order of the definition, without repairs and exclusions', () => {
  expect(mainLine(demoGraph())).toEqual([1, 2, 4, 5, 6, 7, 8, 11, 12, 13]);
});

it('ends in a loop, and leaves out states that cannot be reached', () => {
  const edges: [number, number][] = [
    [1, 2],
    [2, 1],
    [3, 4],
  ];
  expect(mainLine({ start: 1, states: [1, 2, 3, 4], edges })).toEqual([1, 2]);
});

it('has only the edges between neighbours on the line', () => {
  expect(isMainEdge([1, 2, 4], [2, 4])).toBe(true);
  expect(isMainEdge([1, 2, 4], [1, 4])).toBe(false);
  expect(isMainEdge([1, 2, 4], [4, 2])).toBe(false);
});
