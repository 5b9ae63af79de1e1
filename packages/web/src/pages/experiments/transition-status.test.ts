import { describe, expect, it } from 'vitest';
import { partText, titleOf, transitionStatus } from './transition-status.ts';

describe('transitionStatus', () => {
  it.each([
    ['available', { allowed: true, by: 'both', missing_permission: null }],
    ['not yet', { allowed: false, by: 'both', missing_permission: null }],
    ['not yet', { allowed: false, by: 'person', missing_permission: null }],
    ['permission required', { allowed: false, by: 'person', missing_permission: 'sample_state_update' }],
    ['automatic', { allowed: false, by: 'engine', missing_permission: 'sample_state_update' }],
  ] as const)('returns %j for the transition %j', (status, transition) => {
    expect(transitionStatus(transition)).toBe(status);
  });
});

describe('titleOf', () => {
  it('returns the title of a destination, and the label of any other state', () => {
    const archiving = { id: 4, label: 'archiving', uri: '/api/v2/states/4' };
    const transitions = [{ destination_state: archiving, destination_title: 'Archiving' }];
    expect(titleOf(archiving, transitions)).toBe('Archiving');
    expect(titleOf({ id: 5, label: 'rejected' }, transitions)).toBe('rejected');
  });
});

describe('partText', () => {
  it('returns the error if there is one, and otherwise the value as JSON', () => {
    expect(partText({ text: 'x', value: 'failed', error: null })).toBe('"failed"');
    expect(partText({ text: 'x', value: null, error: null })).toBe('null');
    expect(partText({ text: 'x', value: null, error: 'No callback `x`.' })).toBe('No callback `x`.');
  });
});
