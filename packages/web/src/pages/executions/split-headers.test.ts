import { expect, it } from 'vitest';
import { splitHeaders } from './split-headers.ts';

it('separates the headers of a response from the other result values', () => {
  const headers = { 'content-type': 'text/html' };
  expect(splitHeaders({ status: 200, headers, body: 'a' })).toEqual({ headers, rest: { status: 200, body: 'a' } });
});

it.each([[{ motion: 1.2 }], [{ headers: 'none' }], [{ headers: ['a'] }], [null], ['text']])(
  'leaves %j unchanged',
  (values) => {
    expect(splitHeaders(values)).toEqual({ headers: undefined, rest: values });
  },
);
