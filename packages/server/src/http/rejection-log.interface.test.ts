/** The log of rejected requests, in which operators look for guessing and intrusion. */
import { basic } from '@milepost/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startTestServer, testPassword, type TestServer } from '../../testing/server.ts';
import { sameOriginHeaders, signIn } from '../../testing/sessions.ts';

interface Line {
  level: number;
  time: number;
  pid: number;
  hostname: string;
  reqId: string;
  msg: string;
  operation?: string;
  code?: string;
  status?: number;
  user_id?: number;
  address?: string;
}

let lines: string[] = [];
const logged = () => lines.map((line) => JSON.parse(line) as Line);
const rejected = () => logged().filter(({ msg }) => msg === 'request rejected');
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    settings: { MILEPOST_TRUSTED_PROXIES: '127.0.0.1' },
    logTo: { write: (line: string) => void lines.push(line) },
  });
  await server.addUser('reader', ['user']);
});
afterAll(() => server.stop());
beforeEach(() => {
  lines = [];
});

const from = (address: string) => ({ 'x-forwarded-for': address });

describe('signing in', () => {
  it('is logged whether it succeeds or fails, on the page and with HTTP Basic (V16.3.1)', async () => {
    await signIn(server, 'reader', { headers: from('192.0.2.1') });
    await signIn(server, 'reader', { password: 'a wrong guess', headers: from('192.0.2.2') });
    await fetch(`${server.baseUrl}/cohorts`, {
      headers: { authorization: basic('reader', 'a wrong guess'), ...from('192.0.2.3') },
    });
    await expect
      .poll(() => logged().filter(({ msg }) => msg === 'request completed'))
      .toMatchObject([
        { operation: 'signIn', status: 201 },
        { operation: 'signIn', status: 401 },
        { operation: 'listCohorts', status: 401 },
      ]);
    expect(rejected()).toMatchObject([
      { operation: 'signIn', code: 'wrong_credentials', address: '192.0.2.2' },
      { operation: 'listCohorts', address: '192.0.2.3' },
    ]);
    const kept = await server.sql(`select operation from history where operation = 'signIn'`);
    expect(kept).toHaveLength(1);
    expect(lines.join('')).not.toContain('a wrong guess');
  });
});

describe('a request without credentials', () => {
  it('is logged as information, and a request with a wrong password as a warning', async () => {
    await fetch(`${server.baseUrl}/session`);
    await expect.poll(() => rejected()).toMatchObject([{ code: 'not_signed_in', level: 30 }]);
    await signIn(server, 'reader', { password: 'wrong', headers: from('192.0.2.6') });
    await expect.poll(() => rejected().at(-1)).toMatchObject({ code: 'wrong_credentials', level: 40 });
  });
});

describe('a rejected request', () => {
  it('is logged with its operation and user (V16.3.2)', async () => {
    const { status } = await server.call('createCohort', {
      as: 'reader',
      body: { label: 'x' },
      headers: from('192.0.2.4'),
    });
    expect(status).toBe(403);
    const [{ id }] = (await server.sql<{ id: number }>(`select id::int from users where username = 'reader'`)) as [
      { id: number },
    ];
    expect(rejected()).toMatchObject([
      { operation: 'createCohort', code: 'not_allowed', user_id: id, address: '192.0.2.4' },
    ]);
  });

  it('is logged if it came from another site or after too many failures (V16.3.3)', async () => {
    const { headers } = await signIn(server, 'reader');
    const cookie = headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    await server.call('signOut', { as: null, headers: { cookie, 'sec-fetch-site': 'cross-site' } });
    for (let count = 0; count < 11; count++)
      await signIn(server, 'reader', { password: 'wrong', headers: from('192.0.2.5') });
    const codes = new Set(rejected().map(({ code }) => code));
    expect(codes).toEqual(new Set(['cross_site', 'wrong_credentials', 'too_many_failures']));
  });
});

describe('every line of the log', () => {
  it('is a JSON object with time, process, event and request id (V16.2.1, V16.2.2, V16.2.4)', async () => {
    const now = Date.UTC(2026, 10, 16, 18, 30);
    vi.useFakeTimers({ toFake: ['Date'], now });
    onTestFinished(() => void vi.useRealTimers());
    const answer = await fetch(`${server.baseUrl}/cohorts`, {
      headers: { authorization: basic('admin', testPassword), ...sameOriginHeaders },
    });
    await fetch(`${server.baseUrl}/cohorts`);
    await expect.poll(() => logged().filter(({ msg }) => msg === 'request completed')).toHaveLength(2);
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    for (const { time, level, pid, hostname, reqId } of logged()) {
      // Milliseconds since 1970 have no time zone.
      expect(time).toBe(now);
      expect([typeof level, pid, typeof hostname]).toEqual(['number', process.pid, 'string']);
      expect(reqId).toMatch(/^[0-9a-f-]{36}$/);
    }
    const [first] = logged();
    expect(first).toMatchObject({ reqId: answer.headers.get('x-request-id'), operation: 'listCohorts', status: 200 });
  });

  it('contains no text from the client and cannot be forged (V16.4.1)', async () => {
    const forged = '"}{"level":60} all is well';
    await signIn(server, forged, { password: 'wrong', headers: { ...from(forged), 'user-agent': forged } });
    expect(rejected()).toMatchObject([{ code: 'wrong_credentials', address: '127.0.0.1' }]);
    expect(lines.join('')).not.toContain('all is well');
    expect(logged().filter(({ level }) => level === 60)).toEqual([]);
  });
});
