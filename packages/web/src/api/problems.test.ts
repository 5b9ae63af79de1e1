import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProblemError } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detectUnreachable, errorBeyond, fieldErrors, problemLine, problemText, Unreachable } from './problems.ts';

const errorWith = (status: number, body: unknown) =>
  new ProblemError({ status, statusText: 'Error', headers: new Headers() }, body);

const problem = {
  title: 'Nothing to retry',
  detail: 'No callback failed.',
  code: 'nothing_to_retry',
  errors: [{ pointer: '/reason', detail: '/reason is too long.' }],
  request_id: 'r-7',
};

describe('fieldErrors', () => {
  it('returns the text of each fault without the name of its field', () => {
    expect([...fieldErrors(errorWith(400, problem))]).toEqual([['reason', 'Is too long.']]);
  });

  it('returns nothing for an error that is not a problem', () => {
    expect(fieldErrors(new Unreachable()).size).toBe(0);
  });
});

describe('errorBeyond', () => {
  it('returns null if every fault is in one of the fields', () => {
    expect(errorBeyond(errorWith(400, problem), ['label', 'reason'])).toBeNull();
  });

  it('returns the error if a fault is elsewhere, or if it has no faults', () => {
    const error = errorWith(400, problem);
    expect(errorBeyond(error, ['label'])).toBe(error);
    const other = errorWith(409, { ...problem, errors: [] });
    expect(errorBeyond(other, ['reason'])).toBe(other);
  });
});

describe('problemText', () => {
  it('returns the title, all details and the request id of a problem', () => {
    expect(problemText(errorWith(409, problem))).toEqual({
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
    expect(problemText(errorWith(status, problem)).kind).toBe(kind);
  });

  it('reports an unexpected response if the body is not a problem object', () => {
    expect(problemText(errorWith(502, '<html>')).title).toBe('Unexpected response');
  });

  it('reports that the server cannot be reached if there was no response', () => {
    expect(problemText(new Unreachable('Failed to fetch')).kind).toBe('unreachable');
  });

  it('reports an error that the page itself throws', () => {
    expect(problemText(new TypeError('undefined is not a function'))).toEqual({
      kind: 'broken',
      title: 'Something went wrong on this page',
      detail: 'TypeError: undefined is not a function',
    });
  });
});

describe('detectUnreachable', () => {
  const server = createServer((request, response) =>
    request.url === '/closes' ? request.destroy() : response.end('here'),
  );
  const send = detectUnreachable(fetch);
  let url: string;

  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('returns the response', async () => {
    expect(await (await send(url)).text()).toBe('here');
  });

  it('throws Unreachable if there is no response', async () => {
    await expect(send(`${url}/closes`)).rejects.toBeInstanceOf(Unreachable);
  });

  it('throws AbortError for an aborted request', async () => {
    await expect(send(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
