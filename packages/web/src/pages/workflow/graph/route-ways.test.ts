import { describe, expect, it } from 'vitest';
import { node, placeStates } from './place-states.ts';
import { pathOf, routeWays } from './route-ways.ts';
import { waysOf, wayWords, type Transition } from './ways.ts';

/** Six states in a row, of which the fourth has another below it; three columns fit. */
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
});

const placeOf = (id: number) => places.find((place) => place.id === id);

const routeOf = (from: number, to: number) => {
  const ways = waysOf([transition(from, to)], places);
  return routeWays(ways, places).get(`${from}-${to}`) ?? [];
};

const touches = ([x, y]: readonly [number, number], id: number) => {
  const place = placeOf(id);
  return place !== undefined && x >= place.x && x <= place.x + node.width && y >= place.y && y <= place.y + node.height;
};

describe('the course of a way', () => {
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
  ])('from state %i to %i begins at the one and ends at the other', (from, to) => {
    const route = routeOf(from, to);
    expect(touches(route[0] ?? [0, 0], from)).toBe(true);
    expect(touches(route.at(-1) ?? [0, 0], to)).toBe(true);
  });

  it('between lines has its horizontal part where no state stands', () => {
    const [, , turn = [0, 0]] = routeOf(3, 7);
    expect(places.some(({ y }) => turn[1] > y && turn[1] < y + node.height)).toBe(false);
  });

  it('shares its track with the others that lead to the same state', () => {
    const ways = waysOf([transition(1, 7), transition(2, 7), transition(2, 5)], places);
    const heights = [...routeWays(ways, places).values()].map((route) => route[1]?.[1]);
    expect(heights[0]).toBe(heights[1]);
    expect(heights[2]).not.toBe(heights[0]);
  });

  it('is drawn with round corners', () => {
    expect(
      pathOf([
        [0, 0],
        [100, 0],
        [100, 50],
      ]),
    ).toBe('M0 0L90 0Q100 0 100 10L100 50');
  });
});

describe('ways', () => {
  it('between the same states are one, and by people only if all are', () => {
    const ways = waysOf(
      [transition(1, 2, 'person'), transition(1, 2, 'engine', 'a == 1'), transition(2, 3, 'person')],
      places,
    );
    expect(ways.map(({ id, byPersonOnly }) => [id, byPersonOnly])).toEqual([
      ['1-2', false],
      ['2-3', true],
    ]);
    expect(wayWords(ways[0]?.transitions ?? [])).toBe('By people: always\nBy itself: if a == 1');
  });

  it('to itself, or to a state that is not drawn, are left out', () => {
    expect(waysOf([transition(1, 1), transition(1, 99)], places)).toEqual([]);
  });
});
