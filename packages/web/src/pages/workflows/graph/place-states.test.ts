import { describe, expect, it } from 'vitest';
import { extentOf, node, placeStates } from './place-states.ts';

const column = 264;
const row = 80;

/** A layout whose layers have the given numbers of states. */
const layered = (...sizes: number[]) =>
  sizes.flatMap((size, layer) =>
    Array.from({ length: size }, (_, slot) => ({
      id: layer * 10 + slot + 1,
      x: layer * column,
      y: (slot + (3 - size) / 2) * row,
    })),
  );

const overlap = (places: ReturnType<typeof placeStates>) =>
  places.filter((a) =>
    places.some((b) => a !== b && Math.abs(a.x - b.x) < node.width && Math.abs(a.y - b.y) < node.height),
  );

describe('placeStates', () => {
  it('places all states on one line if the page is wide enough', () => {
    const places = placeStates(layered(1, 1, 1), 800, row);
    expect(places.map(({ line }) => line)).toEqual([0, 0, 0]);
    expect(new Set(places.map(({ y }) => y)).size).toBe(1);
    expect(extentOf(places).width).toBeGreaterThan(600);
  });

  it.each([340, 700, 1124, 1700])('wraps states without overlaps on a page %i pixels wide', (width) => {
    const places = placeStates(layered(1, 1, 2, 1, 1, 2, 2, 3, 1, 1), width, row);
    expect(extentOf(places).width).toBeLessThanOrEqual(Math.max(width, 2 * node.width + 44));
    expect(overlap(places)).toEqual([]);
    const lines = places.map(({ line }) => line);
    expect(lines).toEqual(lines.toSorted((a, b) => a - b));
  });

  it('marks the first and last state of each column', () => {
    const outer = placeStates(layered(3), 800, row).map(({ first, last }) => [first, last]);
    expect(outer).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
  });

  it('returns an empty list if there are no states', () => {
    expect(placeStates([], 800, row)).toEqual([]);
  });
});
