/** Access with the secret of an execution, and limits for anonymous requests. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { hashSecret } from '../../engine/runs/secrets.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  await server.addUserWith('reader', 'upload_data');
});
afterAll(() => server.stop());

const workflow = (queue: string) => `states:
  - label: start
    callbacks: [{label: work, function: worker, callback_arguments: {queue: ${queue}}}]
`;

async function claimFrom(queue: string) {
  await world.experimentIn(workflow(queue));
  const [claim] = await world.claim(queue);
  return claim;
}

async function replaceAttempt(id: number, secret: string): Promise<void> {
  await server.sql('update execution_attempts set ended_at = now() where execution_id = $1', [id]);
  await server.sql('update callback_executions set attempt = 2 where id = $1', [id]);
  await server.sql(
    `insert into execution_attempts (execution_id, attempt, secret_hash, worker, started_at) values ($1, 2, $2, 'w2', now())`,
    [id, hashSecret(secret)],
  );
}

const mebibytes = (count: number) => JSON.stringify({ status: 'running', run_log: 'x'.repeat(count * 1024 * 1024) });
const send = (id: number, body: unknown, as: string | null, headers: Record<string, string> = {}) =>
  server.call('updateCallbackExecution', { params: { id }, as, body, headers });
const tooLarge = {
  status: 413,
  body: { code: 'body_too_large', detail: expect.stringContaining('as a bearer token') },
};

/** Sends a body without Content-Length that never ends, so a response shows that the server did not wait for it. */
function sendEndless(id: number): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const sending = request(`${server.baseUrl}/callback_executions/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  });
  sending.on('error', reject);
  sending.on('response', ({ statusCode }) => {
    resolve(statusCode);
    sending.off('error', reject).on('error', () => undefined);
    sending.destroy();
  });
  sending.write('{"status"');
  return promise;
}

/** Sends a GET with a body, which fetch cannot do. */
function getWithBody(id: number, body: object): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': text.length };
  request(`${server.baseUrl}/callback_executions/${id}`, { method: 'GET', headers })
    .on('error', reject)
    .on('response', (response) => resolve(response.resume().statusCode))
    .end(text);
  return promise;
}

describe('an anonymous report', () => {
  it('is limited to 1 MiB and needs a Content-Length', async () => {
    const { execution, secret } = await claimFrom('anonymous');
    expect(await send(execution.id, mebibytes(1.5), null)).toMatchObject(tooLarge);
    expect(await sendEndless(execution.id)).toBe(413);
    expect((await send(execution.id, mebibytes(0.5), null)).status).toBe(401);
    expect((await send(execution.id, undefined, null)).status).toBe(401);
    const bearer = { authorization: `Bearer ${secret}` };
    expect((await send(execution.id, mebibytes(1.5), null, bearer)).status).toBe(200);
  });
});

describe('the secret of an execution', () => {
  it('takes precedence over the permissions of a signed-in user', async () => {
    const { execution, secret } = await claimFrom('secrets');
    const body = { status: 'finished', result: 'success' };
    expect(await send(execution.id, body, 'reader')).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    for (const as of ['reader', 'admin']) {
      const wrong = await send(execution.id, { ...body, secret_key: 'wrong' }, as);
      expect(wrong).toMatchObject({ status: 403, body: { code: 'wrong_secret' } });
    }
    expect((await send(execution.id, { ...body, secret_key: secret }, 'reader')).status).toBe(200);
  });

  it('is read from the header of a GET, not from its body', async () => {
    const { execution, secret } = await claimFrom('reads');
    const [params, headers] = [{ id: execution.id }, { authorization: `Bearer ${secret}` }];
    expect((await server.call('getCallbackExecution', { params, headers, as: null })).status).toBe(200);
    expect(await getWithBody(execution.id, { secret_key: secret })).toBe(401);
  });

  it('gives access for the latest attempt only, and a report with an older secret returns stale_attempt', async () => {
    const first = await claimFrom('attempts');
    await replaceAttempt(first.execution.id, 'second');
    const read = (secret: string) =>
      server.call('getCallbackExecution', {
        params: { id: first.execution.id },
        as: null,
        headers: { authorization: `Bearer ${secret}` },
      });
    expect(await read(first.secret)).toMatchObject({ status: 403, body: { code: 'wrong_secret' } });
    expect((await read('second')).status).toBe(200);
    expect(await world.reportWithSecret(first, { status: 'finished' })).toMatchObject({
      body: { code: 'stale_attempt' },
    });
  });
});
