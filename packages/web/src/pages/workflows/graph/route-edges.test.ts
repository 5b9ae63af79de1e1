import { describe, expect, it } from 'vitest';
import { edgesOf, edgeText, type Transition } from './edges.ts';
import { node, placeStates } from './place-states.ts';
import { pathOf, routeEdges } from './route-edges.ts';

/** Six states in a row, with another one below the fourth. Three columns fit. */
const boxes = [0, 1, 2, 3, 4, 5]
  .map((layer) => ({ id: layer + 1, x: layer * 264, y: 0 }))
  .concat({ id: 7, x: 3 * 264, y: 80 });
const places = placeStates(boxes, 640, 80);

const transition = (
  source_id: number,
  destination_id: number,
  by: Transition['by'] = 'both',
  condition = '',
): Transition => ({
  id: source_id * 100 + destination_id,
  source_id,
  destination_id,
  condition,
  by,
  title: null,
});

const placeOf = (id: number) => places.find((place) => place.id === id);

const routeOf = (from: number, to: number) => {
  const edges = edgesOf([transition(from, to)], places);
  return routeEdges(edges, places).get(`${from}-${to}`) ?? [];
};

const touches = ([x, y]: readonly [number, number], id: number) => {
  const place = placeOf(id);
  return place !== undefined && x >= place.x && x <= place.x + node.width && y >= place.y && y <= place.y + node.height;
};

describe('routeEdges', () => {
  it.each([
    [1, 2],
    [1, 3],
    [2, 1],
    [3, 4],
    [3, 7],
    [4, 7],
    [7, 4],
    [6, 1],
    [7, 2],
  ])('connects state %i to state %i', (from, to) => {
    const route = routeOf(from, to);
    expect(touches(route[0] ?? [0, 0], from)).toBe(true);
    expect(touches(route.at(-1) ?? [0, 0], to)).toBe(true);
  });

  it('routes an edge between two lines without crossing a state', () => {
    const [, , turn = [0, 0]] = routeOf(3, 7);
    expect(places.some(({ y }) => turn[1] > y && turn[1] < y + node.height)).toBe(false);
  });

  it('uses one track for all edges to the same state', () => {
    const edges = edgesOf([transition(1, 7), transition(2, 7), transition(2, 5)], places);
    const heights = [...routeEdges(edges, places).values()].map((route) => route[1]?.[1]);
    expect(heights[0]).toBe(heights[1]);
    expect(heights[2]).not.toBe(heights[0]);
  });
});

describe('pathOf', () => {
  it('rounds the corners', () => {
    expect(
      pathOf([
        [0, 0],
        [100, 0],
        [100, 50],
      ]),
    ).toBe('M0 0L90 0Q100 0 100 10L100 50');
  });
});

describe('edgesOf', () => {
  it('merges transitions between the same states, and marks an edge as manual only if all its transitions are manual', () => {
    const edges = edgesOf(
      [transition(1, 2, 'person'), transition(1, 2, 'engine', 'a == 1'), transition(2, 3, 'person')],
      places,
    );
    expect(edges.map(({ id, byPersonOnly }) => [id, byPersonOnly])).toEqual([
      ['1-2', false],
      ['2-3', true],
    ]);
    expect(edgeText(edges[0]?.transitions ?? [])).toBe('Manual\nAutomatic, if a == 1');
  });

  it('omits transitions from a state to itself or to a state that is not drawn', () => {
    expect(edgesOf([transition(1, 1), transition(1, 99)], places)).toEqual([]);
  });
});
