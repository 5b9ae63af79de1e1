import { ProblemError } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { problemLine, problemWords } from './problem-words.ts';
import { Unreachable } from './unreachable.ts';

const errorWith = (status: number, body: unknown) =>
  new ProblemError({ status, statusText: 'Error', headers: new Headers() }, body);

const problem = {
  title: 'Nothing to retry',
  detail: 'No callback failed.',
  code: 'nothing_to_retry',
  errors: [{ pointer: '/reason', detail: '/reason is too long.' }],
  request_id: 'r-7',
};

describe('problemWords', () => {
  it('returns the title, all details and the request id of a problem', () => {
    expect(problemWords(errorWith(409, problem))).toEqual({
      kind: 'refused',
      title: 'Nothing to retry',
      detail: 'No callback failed. /reason is too long.',
      requestId: 'r-7',
    });
    expect(problemLine(errorWith(409, problem))).toContain('(request r-7)');
  });

  it.each([
    [403, 'forbidden'],
    [404, 'missing'],
    [409, 'refused'],
    [503, 'broken'],
  ])('classifies status %i as %s', (status, kind) => {
    expect(problemWords(errorWith(status, problem)).kind).toBe(kind);
  });

  it('reports an unexpected response if the body is not a problem object', () => {
    expect(problemWords(errorWith(502, '<html>')).title).toBe('Unexpected response');
  });

  it('reports that the server cannot be reached if there was no response', () => {
    expect(problemWords(new Unreachable('Failed to fetch')).kind).toBe('unreachable');
  });

  it('reports an error of the page itself', () => {
    expect(problemWords(new TypeError('undefined is not a function'))).toEqual({
      kind: 'broken',
      title: 'Something went wrong on this page',
      detail: 'TypeError: undefined is not a function',
    });
  });
});
