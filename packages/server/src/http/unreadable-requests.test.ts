import { describe, expect, it } from 'vitest';
import { problemOf } from './unreadable-requests.ts';

describe('a request that does not arrive in time', () => {
  it('gets 408', () => {
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    expect(problemOf(error)).toMatchObject({ status: 408, code: 'request_timeout' });
  });
});
