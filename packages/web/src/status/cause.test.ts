import { describe, expect, it } from 'vitest';
import { errorBeside, shortError } from './cause.tsx';

describe('errorBeside', () => {
  it('is the error with the status code', () => {
    const error = 'Unexpected response: 422 (expected 200–299).';
    expect(errorBeside({ cause: 'A name is burned into the pixels', error })).toBe(error);
  });

  it.for([
    ['The run did not finish within 60 minutes.', 'The run did not finish within 60 minutes.'],
    ['No connection.', 'No connection. Retried for 45 minutes without success.'],
    [null, 'No connection.'],
    ['No connection.', null],
  ])('is null for the cause %j and the error %j', ([cause = null, error = null]) => {
    expect(errorBeside({ cause, error })).toBeNull();
  });
});

describe('shortError', () => {
  it.for([
    ['Unexpected response: 422 (expected 200–299).', 'status 422'],
    ['Unexpected exit code: -9 (expected 0).', 'exit code -9'],
    ['No connection.', 'No connection.'],
  ])('shortens %j to %j', ([error = '', short]) => {
    expect(shortError(error)).toBe(short);
  });
});
