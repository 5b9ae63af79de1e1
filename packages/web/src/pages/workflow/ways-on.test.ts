import { expect, it } from 'vitest';
import { waysOn } from './ways-on.ts';

const state = (id: number) => ({ id, label: `s${id}`, uri: `/api/v2/states/${id}`, x: 0, y: 0 });
const transition = (id: number, source_id: number, destination_id: number, condition = '') => ({
  id,
  uri: `/api/v2/transitions/${id}`,
  source_id,
  destination_id,
  condition,
  by: 'engine' as const,
});

it('the ways on from a state are its own, with their destination, who takes them and when', () => {
  const graph = {
    states: [state(1), state(2), state(3)],
    transitions: [transition(7, 1, 2, 'usable == true'), transition(8, 2, 3), transition(9, 1, 3)],
  };
  const told = waysOn(graph as unknown as Parameters<typeof waysOn>[0], 1);
  expect(told.map(({ destination, words }) => [destination.label, words])).toEqual([
    ['s2', 'By itself: if usable == true'],
    ['s3', 'By itself: always'],
  ]);
});
