/**
 * How many statements the requests of a pulling worker send. Each statement is a round trip, which costs about as much as its work.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { statementsDuring } from '../../../testing/measure/sent-plans.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

const queue = 'counted';
let server: TestServer;
let world: EngineWorld;
let workflow: string;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
  workflow = await world.importWorkflow(pulledWorkflow(queue));
  // The server reads the definition of a workflow once.
  const claim = await claimOne();
  await world.reportWithSecret(claim, finished);
});
afterAll(() => server.stop());

const finished = { status: 'finished', result: 'success', result_values: { x: 1 }, run_log: 'done' };

interface Claimed {
  execution: { id: number };
  attempt: number;
  secret: string;
}

async function claimOne(): Promise<Claimed> {
  await world.experimentOf(workflow);
  const [claim] = await world.claim(queue);
  return claim;
}

const renew = ({ execution, attempt, secret }: Claimed, by: 'secret' | 'user') =>
  server.call('renewClaim', {
    params: { execution_id: execution.id },
    body: { log: 'alive', ...(by === 'user' && { attempt }) },
    ...(by === 'secret' && { as: null, headers: { authorization: `Bearer ${secret}` } }),
  });

/** The requests, and the statements that each may send. Notifications to workers are not part of a request. */
const requests: [string, number, (claim: Claimed) => Promise<{ status: number }>][] = [
  ['a claim', 2, () => server.call('claimExecutions', { body: { queues: [queue] } })],
  ['a claim that finds nothing', 2, () => server.call('claimExecutions', { body: { queues: ['empty'] } })],
  ['a renewal with the secret', 1, (claim) => renew(claim, 'secret')],
  ['a renewal by the user who claimed', 2, (claim) => renew(claim, 'user')],
  ['a report with the secret', 3, (claim) => world.reportWithSecret(claim, finished)],
  ['a report of progress', 3, (claim) => world.reportWithSecret(claim, { status: 'running', run_log: 'half' })],
  ['a report by a user, with three lists', 7, ({ execution: { id } }) => world.report(id, finished)],
  ['a read of an execution, with three lists', 5, ({ execution: { id } }) => read(id)],
];

const read = (id: number) => server.call('getCallbackExecution', { params: { id } });

describe('the number of statements', () => {
  it.each(requests)('of %s is %i, all of them prepared', async (_what, count, request) => {
    // Layouts are stored in the background, and their statements would be counted, too.
    await expect.poll(() => server.sql('select id from workflows where layout is null')).toEqual([]);
    const claim = await claimOne();
    await world.experimentOf(workflow);
    const sent = await statementsDuring(
      async () => expect((await request(claim)).status).toBe(200),
      /^(?!.*pg_notify)/s,
    );
    expect(sent.filter((statement) => !('name' in statement && statement.name))).toEqual([]);
    expect(sent.map(({ text }) => text.trim().slice(0, 100))).toHaveLength(count);
  });
});
