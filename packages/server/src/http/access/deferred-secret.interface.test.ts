/** A report or renewal checks the secret of an attempt in the statement that reads or renews the execution. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const queue = 'deferred';
const claimOne = async (): Promise<{ execution: { id: number }; secret: string }> => {
  await world.experimentIn(pulledWorkflow(queue));
  const [claim] = await world.claim(queue);
  return claim;
};

const requests = [
  ['a report', 'callback_executions', { status: 'finished', result: 'success' }],
  ['a renewal', 'worker/claims', { log: 'written' }],
] as const;

const put = (path: string, secret: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${server.baseUrl}/${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    body,
  });

const wrong = { status: 403, code: 'wrong_secret' };
const outcome = async (response: Response) => ({
  status: response.status,
  code: ((await response.json()) as { code?: string }).code,
});

const written = (id: number) =>
  server.sql(
    `select status, log from callback_executions join execution_attempts on execution_id = id
     where id = $1 and (status <> 'running' or log <> '')`,
    [id],
  );

describe.each(requests)('%s with a wrong secret', (_what, path, body) => {
  it('writes nothing, with the secret of another execution', async () => {
    const [one, other] = [await claimOne(), await claimOne()];
    const response = await put(`${path}/${one.execution.id}`, other.secret, JSON.stringify(body));
    expect(await outcome(response)).toEqual(wrong);
    expect(await written(one.execution.id)).toEqual([]);
  });

  it.each(['999999999', '9999999999999999', 'x'])('gets the same response for the execution %s', async (id) => {
    const { secret } = await claimOne();
    expect(await outcome(await put(`${path}/${id}`, secret, JSON.stringify(body)))).toEqual(wrong);
  });

  it('gets wrong_secret before the errors of its body and headers', async () => {
    const { execution } = await claimOne();
    expect(await outcome(await put(`${path}/${execution.id}`, 'mpe_wrong', '{'))).toEqual(wrong);
    expect(await outcome(await put(`${path}/${execution.id}`, 'mpe_wrong', '{"unknown": 1}'))).toEqual(wrong);
    const masked = await put(`${path}/${execution.id}`, 'mpe_wrong', JSON.stringify(body), { 'x-fields': '{' });
    expect(await outcome(masked)).toEqual(wrong);
  });

  it('gets wrong_secret even if the body has the right one', async () => {
    const { execution, secret } = await claimOne();
    const both = JSON.stringify({ ...body, secret });
    expect(await outcome(await put(`${path}/${execution.id}`, 'mpe_wrong', both))).toEqual(wrong);
    expect(await written(execution.id)).toEqual([]);
  });
});

it('a body of more than 1 MiB is not read before its secret is checked', async () => {
  const { execution } = await claimOne();
  const { promise: status, resolve, reject } = Promise.withResolvers<number | undefined>();
  const sending = request(`${server.baseUrl}/callback_executions/${execution.id}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer mpe_wrong', 'content-type': 'application/json', 'content-length': 2 ** 21 },
  });
  sending.on('error', reject).on('response', ({ statusCode }) => resolve(statusCode));
  // The rest of the body is never sent.
  sending.write('{"run_log": "');
  expect(await status).toBe(403);
  sending.off('error', reject).on('error', () => undefined);
  sending.destroy();
});

it('a wrong secret costs one statement', async () => {
  const { execution } = await claimOne();
  const body = JSON.stringify({ status: 'finished', result: 'success' });
  const sent = await statementsDuring(
    () => put(`callback_executions/${execution.id}`, 'mpe_wrong', body),
    /secret_hash/,
  );
  expect(sent).toHaveLength(1);
});

it('errors of the body are reported with the right secret', async () => {
  const { execution, secret } = await claimOne();
  expect((await put(`callback_executions/${execution.id}`, secret, '{')).status).toBe(400);
});
