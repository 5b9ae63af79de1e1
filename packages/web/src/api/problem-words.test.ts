import { ProblemError } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { problemLine, problemWords } from './problem-words.ts';
import { Unreachable } from './unreachable.ts';

const refused = (status: number, body: unknown) =>
  new ProblemError({ status, statusText: 'Refused', headers: new Headers() }, body);

const problem = {
  title: 'There is nothing to retry',
  detail: 'Nothing failed.',
  code: 'nothing_to_retry',
  errors: [{ pointer: '/reason', detail: 'It is too long.' }],
  request_id: 'r-7',
};

describe('an error in words', () => {
  it('has what the server said, all faults, and the id of the request', () => {
    expect(problemWords(refused(409, problem))).toEqual({
      kind: 'refused',
      title: 'There is nothing to retry',
      detail: 'Nothing failed. It is too long.',
      requestId: 'r-7',
    });
    expect(problemLine(refused(409, problem))).toContain('(request r-7)');
  });

  it.each([
    [403, 'forbidden'],
    [404, 'missing'],
    [409, 'refused'],
    [503, 'broken'],
  ])('of status %i is %s', (status, kind) => {
    expect(problemWords(refused(status, problem)).kind).toBe(kind);
  });

  it('says that something on the way refused where there is no problem object', () => {
    expect(problemWords(refused(502, '<html>')).title).toBe('Something on the way to the server refused');
  });

  it('says that the server cannot be reached where there was no answer', () => {
    expect(problemWords(new Unreachable('Failed to fetch')).kind).toBe('unreachable');
  });

  it('says that the page is at fault where it is', () => {
    expect(problemWords(new TypeError('undefined is not a function'))).toEqual({
      kind: 'broken',
      title: 'Something went wrong on this page',
      detail: 'TypeError: undefined is not a function',
    });
  });
});
