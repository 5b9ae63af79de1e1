/** The layout of a workflow's graph: layers, few crossings, and bounded time for any graph. */
import { describe, expect, it } from 'vitest';
import { layOutGraph, type Graph } from './lay-out-graph.ts';

/** `1>2 2>3` */
const graph = (states: number[], pairs: string, start = states[0] ?? 0): Graph => ({
  start,
  states,
  edges: pairs
    .split(' ')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('>').map(Number) as [number, number]),
});
const never = () => false;
/** One string per layer with its states from left to right. */
const layers = (given: Graph, isLate = never) => {
  const places = layOutGraph(given, isLate);
  return [...Map.groupBy(places, ({ layer }) => layer).entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([, inLayer]) =>
      inLayer
        .toSorted((a, b) => a.slot - b.slot)
        .map(({ id }) => id)
        .join(' '),
    );
};

describe('layOutGraph', () => {
  it.each([
    ['a line', graph([1, 2, 3], '1>2 2>3'), ['1', '2', '3']],
    ['a shortcut with each state after all states that lead to it', graph([1, 2, 3], '1>3 1>2 2>3'), ['1', '2', '3']],
    ['parallel edges and edges to the same state', graph([1, 2], '1>2 1>2 1>1 2>2'), ['1', '2']],
    ['a loop from the initial state', graph([1, 2, 3], '1>2 2>3 3>1', 2), ['2', '3', '1']],
    ['a loop after the initial state, starting where it is entered', graph([1, 2, 3], '1>3 2>3 3>2'), ['1', '3', '2']],
    ['unreachable states', graph([1, 2, 3], '1>2'), ['1 3', '2']],
    ['edges so that they do not cross', graph([1, 2, 3, 4, 5], '1>2 1>3 2>5 3>4'), ['1', '2 3', '5 4']],
    ['a single state', graph([1], ''), ['1']],
  ])('lays out %s', (_what, given, expected) => {
    expect(layers(given)).toEqual(expected);
  });

  it('centres each layer', () => {
    expect(layOutGraph(graph([1, 2, 3], '1>2 1>3'), never)).toEqual([
      { id: 1, layer: 0, slot: 0 },
      { id: 2, layer: 1, slot: -0.5 },
      { id: 3, layer: 1, slot: 0.5 },
    ]);
  });

  it('keeps the order of the states if no time is left', () => {
    expect(layers(graph([1, 2, 3, 4, 5], '1>2 1>3 2>5 3>4'), () => true)).toEqual(['1', '2 3', '4 5']);
  });

  it('gives every state of a large dense graph a position of its own', () => {
    const states = Array.from({ length: 500 }, (_, index) => index + 1);
    const edges = Array.from({ length: 5000 }, (_, index): [number, number] => [
      1 + ((index * 7919) % 500),
      1 + ((index * 104_729) % 500),
    ]);
    const places = layOutGraph({ start: 1, states, edges }, never);
    expect(places.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(states);
    expect(new Set(places.map(({ layer, slot }) => `${layer} ${slot}`)).size).toBe(500);
  });
});
