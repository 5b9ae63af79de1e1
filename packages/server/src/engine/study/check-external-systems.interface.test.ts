/** Checks of external systems, against real web servers. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWebServer, type WebServer } from '../../../testing/counterparts/web-server.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { readAllowedTarget } from '../../config/targets.ts';
import { createOutgoing } from '../../outgoing/create-outgoing.ts';
import { claimDueChecks, recordCheck } from '../../store/study/external-system-checks.ts';
import { checkExternalSystems } from './check-external-systems.ts';

let server: TestServer;
let web: WebServer;
beforeAll(async () => {
  [server, web] = await Promise.all([startTestServer(), startWebServer()]);
});
afterAll(async () => {
  await web.stop();
  await server.stop();
});
beforeEach(async () => {
  await server.sql('delete from external_system_checks');
  await server.sql('delete from external_systems');
  web.received.length = 0;
});

const outgoing = createOutgoing({ allow: [readAllowedTarget('http://127.0.0.1:*')] });
const neverAborted = new AbortController().signal;
const check = (signal = neverAborted) => checkExternalSystems({ db: server.database.db, outgoing }, signal);

async function create(url: string, system_name = `system of ${url}`): Promise<number> {
  const { status, body } = await server.call('createExternalSystem', { body: { system_name, url } });
  expect(status).toBe(201);
  return body.id;
}

const update = (id: number, body: object) => server.call('updateExternalSystem', { params: { id }, body });
const makeDue = () => server.sql(`update external_system_checks set next_at = now() - interval '1 s'`);

interface ShownCheck {
  result: string;
  error: string | null;
  last_error_at: string | null;
  failing_since: string | null;
}
const checkOf = async (id: number): Promise<ShownCheck | null> => {
  const { body } = await server.call('listExternalSystemRows', { query: { after: id - 1, limit: 1 } });
  return body.external_systems[0].check;
};

/** A port on which nothing listens. */
async function closedOrigin(): Promise<string> {
  const closed = await startWebServer();
  await closed.stop();
  return closed.origin;
}

describe('an external system', () => {
  it.each(['/status?code=200', '/status?code=401', '/status?code=403', '/status?code=404', '/redirect?to=/hang'])(
    'is reachable if it responds to %s',
    async (path) => {
      const id = await create(web.origin + path);
      expect(await checkOf(id)).toBeNull();
      await check();
      expect(await checkOf(id)).toEqual({
        result: 'reachable',
        checked_at: expect.any(String),
        latency_ms: expect.any(Number),
        error: null,
        failing_since: null,
        last_error: null,
        last_error_at: null,
      });
      expect(web.received).toMatchObject([{ method: 'HEAD', url: path }]);
    },
  );

  it('is unreachable if it responds 503 to HEAD and GET', async () => {
    const id = await create(`${web.origin}/status?code=503`);
    await check();
    const { error, last_error, ...rest } = (await checkOf(id)) as ShownCheck & { last_error: string };
    expect([error, last_error]).toEqual(['Response 503.', 'Response 503.']);
    expect(rest).toMatchObject({ result: 'unreachable', latency_ms: null, failing_since: rest.last_error_at });
    expect(web.received.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
  });

  it('is reachable if it only supports GET', async () => {
    const noHead = await startWebServer(({ method }, response) =>
      response.writeHead(method === 'GET' ? 200 : 501).end(),
    );
    const id = await create(noHead.origin);
    await check();
    expect(await checkOf(id)).toMatchObject({ result: 'reachable' });
    await noHead.stop();
  });

  it('is unreachable if it refuses the connection', async () => {
    const origin = await closedOrigin();
    const id = await create(`${origin}/?token=s3cret-canary-1`);
    await check();
    const error = `The request to ${origin} failed: connection refused (ECONNREFUSED).`;
    expect(await checkOf(id)).toMatchObject({ result: 'unreachable', error, last_error: error });
  });

  it('is unreachable if it closes the connection or sends no HTTP', async () => {
    const ids = [await create(`${web.origin}/reset`), await create(`${web.origin}/garbage`)];
    await check();
    for (const id of ids)
      expect(await checkOf(id)).toMatchObject({
        result: 'unreachable',
        error: expect.stringMatching(/^The request to http:\/\/127\.0\.0\.1:\d+ failed: /),
      });
  });

  it('gets no request and shows no error if the operator does not allow it', async () => {
    const id = await create(web.origin.replace('127.0.0.1', 'localhost'));
    const before = web.connections();
    await check();
    expect(await checkOf(id)).toMatchObject({
      result: 'not_allowed',
      error: `Requests to http://localhost:${web.port} are not allowed. The operator can allow them with MILEPOST_OUTGOING_ALLOW.`,
      last_error: null,
      failing_since: null,
    });
    expect(web.connections()).toBe(before);
  });

  it('with an invalid URL is unreachable', async () => {
    const id = await create('xnat.example.org');
    await check();
    expect(await checkOf(id)).toMatchObject({ result: 'unreachable', error: expect.stringContaining('invalid') });
  });

  it('with a password in its URL gets no request, and the error does not contain the password', async () => {
    const id = await create(web.origin.replace('//', '//anna:s3cret-canary-2@'));
    await check();
    expect(await checkOf(id)).toMatchObject({ result: 'unreachable', error: expect.stringContaining('password') });
    expect(JSON.stringify(await checkOf(id))).not.toContain('canary');
    expect(web.received).toEqual([]);
  });

  it('keeps its last error once it responds, and the time of the first failure while it does not', async () => {
    let status = 500;
    const changing = await startWebServer((_request, response) => void response.writeHead(status).end());
    const id = await create(changing.origin);
    await check();
    const first = await checkOf(id);
    await makeDue();
    status = 502;
    await check();
    expect(await checkOf(id)).toMatchObject({ error: 'Response 502.', failing_since: first?.failing_since });
    await makeDue();
    status = 204;
    await check();
    expect(await checkOf(id)).toMatchObject({
      result: 'reachable',
      error: null,
      failing_since: null,
      last_error: 'Response 502.',
      last_error_at: expect.any(String),
    });
    await changing.stop();
  });

  it('is due again five minutes after its check', async () => {
    await create(web.origin);
    await check();
    expect(await check()).toBe(0);
    const pause = `select round(extract(epoch from next_at - checked_at))::int as seconds from external_system_checks`;
    expect(await server.sql(pause)).toEqual([{ seconds: 300 }]);
  });
});

describe('a changed URL', () => {
  it('is checked at once, and clears the result of the old one', async () => {
    const id = await create(`${web.origin}/status?code=500`);
    await check();
    await update(id, { system_name: 'renamed' });
    expect(await checkOf(id)).toMatchObject({ result: 'unreachable' });
    expect(await check()).toBe(0);
    await update(id, { url: web.origin });
    expect(await checkOf(id)).toBeNull();
    await check();
    expect(await checkOf(id)).toMatchObject({ result: 'reachable', last_error: null });
  });

  it('is checked at once after the import of a configuration', async () => {
    const id = await create(`${web.origin}/status?code=500`, 'XNAT');
    await check();
    const config_definition = `external_systems: [{system_name: XNAT, url: '${web.origin}'}]`;
    const { status } = await server.call('overwriteConfig', { body: { config_definition } });
    expect(status).toBe(200);
    expect(await checkOf(id)).toBeNull();
    expect(await check()).toBe(1);
    expect(await checkOf(id)).toMatchObject({ result: 'reachable' });
  });

  it('during a check keeps the result of the old URL from being recorded', async () => {
    const id = await create(`${web.origin}/status?code=500`);
    const { db } = server.database;
    const [claim] = await claimDueChecks(db);
    await update(id, { url: web.origin });
    if (claim) await recordCheck(db, claim, { result: 'unreachable', error: 'Response 500.' });
    expect(claim?.id).toBe(id);
    expect(await checkOf(id)).toBeNull();
  });

  it('that is empty is not checked', async () => {
    const id = await create(web.origin);
    await server.sql(`update external_systems set url = '' where id = $1`, [id]);
    expect(await check()).toBe(0);
    expect(await checkOf(id)).toBeNull();
  });
});

describe('workers', () => {
  it('share the systems that are due, so that each is checked once', async () => {
    for (let n = 0; n < 45; n++) await create(`${web.origin}/echo/${n}`);
    const checked = await Promise.all([check(), check(), check()]);
    expect(checked.toSorted((a, b) => a - b)).toEqual([5, 20, 20]);
    expect(new Set(web.received.map(({ url }) => url)).size).toBe(45);
    expect(web.received).toHaveLength(45);
  });

  it('take over the systems of a worker that was killed, and ignore its late result', async () => {
    const id = await create(web.origin);
    const { db } = server.database;
    const [claim] = await claimDueChecks(db);
    expect(await check()).toBe(0);
    await makeDue();
    expect(await check()).toBe(1);
    if (claim) await recordCheck(db, claim, { result: 'unreachable', error: 'Response 500.' });
    expect(claim?.id).toBe(id);
    expect(await checkOf(id)).toMatchObject({ result: 'reachable' });
  });

  it('that stop leave their systems to others at once, and hold no transaction during a request', async () => {
    const id = await create(`${web.origin}/hang`);
    const stopping = new AbortController();
    const checking = check(stopping.signal);
    await expect.poll(() => web.received.length).toBe(1);
    expect(await server.openTransactions()).toBe(0);
    stopping.abort();
    expect(await checking).toBe(1);
    expect(await checkOf(id)).toBeNull();
    expect(await claimDueChecks(server.database.db)).toMatchObject([{ id }]);
  });
});
