import { describe, expect, it } from 'vitest';
import { stateLooks } from './state-looks.ts';

type Graph = Parameters<typeof stateLooks>[0];
const state = (id: number, more: object = {}) => ({ id, label: `s${id}`, ...more });
const transition = (source_id: number, destination_id: number, by: string) => ({ source_id, destination_id, by });

describe('stateLooks', () => {
  const looks = stateLooks({
    states: [
      state(1, { title: 'Arrived', decision: null }),
      state(2),
      state(3, { decision: { due: '3d' } }),
      state(4, { outcome: 'bad' }),
      state(5),
    ],
    transitions: [
      transition(1, 2, 'engine'),
      transition(2, 4, 'person'),
      transition(3, 4, 'engine'),
      transition(3, 5, 'person'),
    ],
  } as unknown as Graph);

  it('shows the title of the workflow file, or else the label', () => {
    expect([1, 2].map((id) => looks.get(id)?.title)).toEqual(['Arrived', 's2']);
  });

  it('marks states that only users leave, or whose file has a decision', () => {
    expect([1, 2, 3, 4].map((id) => looks.get(id)?.isDecision)).toEqual([false, true, true, false]);
  });

  it('marks final states with their outcome', () => {
    expect([3, 4, 5].map((id) => looks.get(id)?.final)).toEqual([undefined, 'bad', 'neutral']);
    expect(looks.get(4)?.colour).toBe('var(--fail)');
  });
});
