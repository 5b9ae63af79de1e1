import { describe, expect, it } from 'vitest';
import { outgoingTransitions } from './outgoing-transitions.ts';

const state = (id: number) => ({ id, label: `s${id}`, uri: `/api/v2/states/${id}`, x: 0, y: 0 });
const transition = (id: number, source_id: number, destination_id: number, condition = '') => ({
  id,
  uri: `/api/v2/transitions/${id}`,
  source_id,
  destination_id,
  condition,
  by: 'engine' as const,
  title: null,
});

describe('outgoingTransitions', () => {
  it('returns the transitions out of a state with their destination, actor and condition', () => {
    const graph = {
      states: [state(1), state(2), state(3)],
      transitions: [transition(7, 1, 2, 'usable == true'), transition(8, 2, 3), transition(9, 1, 3)],
    };
    const found = outgoingTransitions(graph as unknown as Parameters<typeof outgoingTransitions>[0], 1);
    expect(found.map(({ destination, actor, condition }) => [destination.label, actor, condition])).toEqual([
      ['s2', 'Moved by the engine', 'usable == true'],
      ['s3', 'Moved by the engine', ''],
    ]);
  });
});
