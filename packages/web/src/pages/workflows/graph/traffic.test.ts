import { describe, expect, it } from 'vitest';
import { edgeWidth, trafficOf, trafficText } from './traffic.ts';

const traffic = (...moves: number[]) =>
  trafficOf(moves.map((number, index) => ({ source: { id: index }, destination: { id: index + 1 }, moves: number })));

describe('trafficOf', () => {
  it('names the moves by the id of the edge', () => expect(traffic(7).get('0-1')).toBe(7));
});

describe('edgeWidth', () => {
  it('is 1 px without moves and 4 px for the edge with most moves', () => {
    const all = traffic(0, 5000);
    expect(edgeWidth(0, all)).toBe(1);
    expect(edgeWidth(5000, all)).toBe(4);
  });

  it('grows by the same amount each time that the moves grow tenfold', () => {
    const all = traffic(99, 999, 9999);
    const widthOf = (moves: number) => edgeWidth(moves, all);
    expect(widthOf(999) - widthOf(99)).toBeCloseTo(widthOf(9999) - widthOf(999));
    expect(widthOf(999)).toBeGreaterThan(widthOf(99));
  });

  it('stays thin for the first moves of a workflow', () => expect(edgeWidth(1, traffic(1))).toBeLessThan(2));
});

describe('trafficText', () => {
  it.each([
    [0, 'No moves in 12 weeks'],
    [1, '1 move in 12 weeks'],
    [1312, '1,312 moves in 12 weeks'],
  ])('of %i is %s', (moves, text) => expect(trafficText(moves)).toBe(text));
});
