import { describe, expect, it } from 'vitest';
import { skipReason } from './skip-reason.ts';

const [before, at] = ['2026-11-14T07:31:00.000Z', '2026-11-14T07:32:00.000Z'];
const superseded = { end_time: at, return_value: '{"superseded_by" : 4}' };
const run = { cause: null, run_log: '', finished: at, action: { end_time: null, return_value: '' } };

describe('skipReason', () => {
  it('is the condition that was not met, from the log', () => {
    const run_log = 'Not started: experiment.variables.usable is false.\n';
    expect(skipReason({ ...run, run_log, action: superseded })).toEqual({
      text: 'Condition not met: experiment.variables.usable is false.',
    });
  });

  it('is the reported cause', () => {
    expect(skipReason({ ...run, cause: 'The subject has withdrawn.' })).toEqual({ text: 'The subject has withdrawn.' });
  });

  it('is the move that ended the action, with the next action', () => {
    expect(skipReason({ ...run, action: superseded })).toEqual({
      text: 'The experiment moved before this run started.',
      actionId: 4,
    });
  });

  it.each([
    ['the experiment has not moved', run],
    ['the experiment moved later', { ...run, finished: before, action: superseded }],
  ])('is unknown if nothing was reported and %s', (_name, skipped) => {
    expect(skipReason(skipped)).toBeUndefined();
  });
});
