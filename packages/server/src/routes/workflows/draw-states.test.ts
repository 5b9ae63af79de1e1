import { expect, it } from 'vitest';
import { drawStates } from './draw-states.ts';

const states = [{ id: 3 }, { id: 4 }, { id: 5 }];
const corners = (boxes: { x: number; y: number }[]) => boxes.map(({ x, y }) => [x, y]);

it('draws layers as columns and slots as rows, starting at 0, 0', () => {
  const places = [
    { id: 5, layer: 1, slot: 0.5 },
    { id: 3, layer: 0, slot: 0 },
    { id: 4, layer: 1, slot: -0.5 },
  ];
  expect(corners(drawStates(states, places))).toEqual([
    [0, 40],
    [264, 0],
    [264, 80],
  ]);
});

it('adds a last column for states without a position', () => {
  expect(corners(drawStates(states, [{ id: 4, layer: 0, slot: 0 }]))).toEqual([
    [264, 0],
    [0, 40],
    [264, 80],
  ]);
});

it('draws all states in one column without overlap if none has a position', () => {
  expect(corners(drawStates(states, []))).toEqual([
    [0, 0],
    [0, 80],
    [0, 160],
  ]);
  for (const { height } of drawStates(states, [])) expect(height).toBeLessThan(80);
  expect(drawStates([], [])).toEqual([]);
});
