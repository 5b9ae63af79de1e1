import { ProblemError } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { faultsOf, lineAt, warningsOf, warningsOfRejected } from './faults.ts';

const rejected = (errors: object[], warnings?: object[]) =>
  new ProblemError(
    { status: 400, statusText: 'Bad Request', headers: new Headers() },
    {
      title: 'Invalid definition',
      detail: 'The file has faults.',
      code: 'invalid_definition',
      errors,
      ...(warnings && { warnings }),
      request_id: 'r',
    },
  );

describe('faultsOf', () => {
  it('returns the place of each fault once', () => {
    const fault = {
      pointer: '/workflow_definition',
      line: 12,
      column: 23,
      detail: 'Line 12, column 23: no state "x".',
    };
    expect(faultsOf(rejected([fault]))).toEqual([{ text: 'no state "x".', place: { line: 12, column: 23 } }]);
  });

  it('returns nothing for a problem that is not in the file', () => {
    expect(faultsOf(rejected([{ pointer: '/state_map', detail: 'No state "x".' }]))).toEqual([]);
    expect(faultsOf(new Error('no connection'))).toEqual([]);
  });
});

it('warningsOfRejected returns the warnings beside the faults, if there are any', () => {
  const warning = { code: 'same_colour', message: 'Two states have the same colour.', line: 3, column: 5 };
  expect(warningsOfRejected(rejected([], [warning]))).toEqual([
    { text: 'Two states have the same colour.', place: { line: 3, column: 5 } },
  ]);
  expect(warningsOfRejected(rejected([]))).toEqual([]);
});

it('warningsOf accepts warnings without a place', () => {
  expect(warningsOf([{ message: 'Two states have the same colour.', line: null, column: null }])).toEqual([
    { text: 'Two states have the same colour.', place: undefined },
  ]);
});

describe('lineAt', () => {
  const text = 'label: a\nstates:\n  - b';

  it('finds a place in the text', () => {
    expect(lineAt(text, { line: 3, column: 5 })).toEqual({ content: '  - b', start: 17, index: 21 });
  });

  it('ends at the end of a line and of the text', () => {
    expect(lineAt(text, { line: 1, column: 99 })).toEqual({ content: 'label: a', start: 0, index: 8 });
    expect(lineAt(text, { line: 9, column: 1 }).content).toBe('');
  });
});
