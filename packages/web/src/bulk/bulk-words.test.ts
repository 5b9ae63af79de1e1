import { expect, it } from 'vitest';
import { changeText, progressText, resultText, type BulkOperation } from './bulk-words.ts';

const operation = { kind: 'move', state: 'reprocessing', variables: null, user_id: null } as BulkOperation;

const titleOf = (label: string) => (label === 'reprocessing' ? 'Reprocessing' : label);

it.each([
  [{}, 'Move to Reprocessing'],
  [{ kind: 'place' as const }, 'Correct state to Reprocessing'],
  [{ kind: 'retry' as const, state: null }, 'Retry runs'],
  [{ kind: 'set_variables' as const, variables: { usable: true, converter: 'new' } }, 'Set usable, converter'],
  [{ kind: 'assign' as const, user_id: 5 }, 'Assign'],
  [{ kind: 'assign' as const }, 'Remove assignment'],
])('%o is described as %s', (change, text) => {
  expect(changeText({ ...operation, ...change }, titleOf)).toBe(text);
});

it('says how many were refused only if some were', () => {
  expect(resultText({ kind: 'retry', done: 27, refused: 1 })).toBe('27 retried, 1 refused');
  expect(resultText({ kind: 'move', done: 1187, refused: 0 })).toBe('1,187 moved');
});

it('counts the progress without the refused', () => {
  expect(progressText({ kind: 'move', status: 'running', done: 812, ready: 375 })).toBe(
    'Moving 812 of 1,187 experiments',
  );
  expect(progressText({ kind: 'retry', status: 'paused', done: 1, ready: 0 })).toBe(
    'Retry runs: paused, 1 of 1 experiment',
  );
});
