import { describe, expect, it } from 'vitest';
import { statesAfter, statesToMap, summaryOf, type WorkflowPlan } from './plan.ts';

const none = { added: [], changed: [], retired: [], revived: [] };
const plan: WorkflowPlan = {
  label: 'brain_mri',
  outcome: 'changed',
  initial: { before: 'arrived', after: 'arrived' },
  states: { ...none, added: ['visual_qa'], retired: ['manual_qa', 'unused'] },
  callbacks: { ...none, changed: ['arrived / check'] },
  transitions: none,
  affected_states: [
    { state: 'manual_qa', experiments: 3, open_executions: 0, goes_to: null },
    { state: 'unused', experiments: 0, open_executions: 0, goes_to: null },
    { state: 'arrived', experiments: 7, open_executions: 1, goes_to: null },
  ],
  strands_experiments: true,
  warnings: [],
};

describe('summaryOf', () => {
  it('counts the changes of a workflow', () => {
    expect(summaryOf(plan)).toBe(
      'Changes the workflow brain_mri: 1 state added, 2 states retired and 1 callback changed.',
    );
  });

  it('counts the parts of a new workflow', () => {
    const created = { ...plan, outcome: 'new' as const, states: { ...none, added: ['a', 'b'] }, callbacks: none };
    expect(summaryOf({ ...created, transitions: { ...none, added: ['a -> b'] } })).toBe(
      'Creates the workflow brain_mri with 2 states and 1 transition.',
    );
  });

  it('says that an identical file changes nothing', () => {
    expect(summaryOf({ ...plan, outcome: 'identical' })).toContain('already has this definition');
  });

  it('has no list if only the order or the initial state changes', () => {
    expect(summaryOf({ ...plan, states: none, callbacks: none })).toBe('Changes the workflow brain_mri.');
  });
});

it('statesToMap returns removed states with experiments', () => {
  expect(statesToMap(plan).map(({ state }) => state)).toEqual(['manual_qa']);
});

it('statesAfter returns the remaining and the new states', () => {
  expect(statesAfter(plan, ['arrived', 'manual_qa', 'unused'])).toEqual(['arrived', 'visual_qa']);
});
