import { describe, expect, it } from 'vitest';
import { partText, transitionStatus } from './transition-status.ts';

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

describe('partText', () => {
  it('returns the error if there is one, and otherwise the value as JSON', () => {
    expect(partText({ text: 'x', value: 'failed', error: null })).toBe('"failed"');
    expect(partText({ text: 'x', value: null, error: null })).toBe('null');
    expect(partText({ text: 'x', value: null, error: 'No callback `x`.' })).toBe('No callback `x`.');
  });
});
