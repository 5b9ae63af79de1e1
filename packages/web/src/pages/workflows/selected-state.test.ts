import { describe, expect, it } from 'vitest';
import { selectedState } from './selected-state.ts';

const arrived = { id: 3, label: 'arrived', uri: '/api/v2/states/3' };
const retired = { id: 9, label: 'old', uri: '/api/v2/states/9' };

describe('selectedState', () => {
  it('is undefined if the URL names no state', () => {
    expect(selectedState(undefined, [arrived], [])).toBeUndefined();
  });

  it('finds a state of the graph, and a retired state that contains experiments', () => {
    expect(selectedState(3, [arrived], undefined)).toBe(arrived);
    expect(selectedState(9, [arrived], [{ state: retired }])).toBe(retired);
  });

  it('reports a state that the workflow does not have, once the counts are loaded', () => {
    expect(selectedState(4, [arrived], undefined)).toEqual({ id: 4, label: 'State 4' });
    expect(selectedState(4, [arrived], [{ state: retired }])).toBe('unknown');
  });
});
