import { expect, it } from 'vitest';
import { targetStates } from './target-states.ts';

type Graphs = Parameters<typeof targetStates>[0];

const graph = (first: number, labels: readonly string[], edges: readonly [number, number][]) => ({
  states: labels.map((label, index) => ({ id: first + index, label })),
  transitions: edges.map(([source, destination]) => ({
    source_id: first + source,
    destination_id: first + destination,
  })),
});

const graphs = [
  graph(
    1,
    ['arrived', 'converted', 'checked'],
    [
      [0, 1],
      [1, 2],
    ],
  ),
  graph(10, ['waiting', 'checked', 'converted'], [[0, 1]]),
] as unknown as Graphs;

it('lists the states after the current ones first', () => {
  expect(targetStates(graphs.slice(0, 1), [{ id: 1 }])).toEqual({
    next: [{ id: 2, label: 'converted' }],
    others: [
      { id: 1, label: 'arrived' },
      { id: 3, label: 'checked' },
    ],
  });
});

it('lists a label of two workflows once', () => {
  const { next, others } = targetStates(graphs, [{ id: 1 }, { id: 10 }]);
  expect(next.map(({ label }) => label)).toEqual(['converted', 'checked']);
  expect(others.map(({ label }) => label)).toEqual(['arrived', 'waiting']);
});
