/** Reports with more result values than a run can have. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const mebibyte = 1024 * 1024;

/** Values with this number of bytes as JSON. */
function valuesOf(bytes: number) {
  const values = { x: 'é', text: '' };
  return { ...values, text: 'x'.repeat(bytes - Buffer.byteLength(JSON.stringify(values))) };
}

const done = { status: 'finished', result: 'success' };
const tooLarge = (bytes: number, most = mebibyte) => ({
  status: 413,
  body: {
    code: 'values_too_large',
    detail: `\`result_values\` have ${bytes} bytes as JSON. The limit is ${most}. Report fewer values with the same secret.`,
  },
});

async function claimed() {
  const queue = world.fresh('queue').replace(' ', '_');
  const experiment = await world.experimentIn(pulledWorkflow(queue));
  const [claim] = await world.claim(queue);
  return { experiment, claim, id: claim.execution.id as number };
}

/** Everything that a report can change. */
const storedOf = (id: number) =>
  server.sql(
    `select to_jsonb(one) as execution, to_jsonb(experiments) as experiment, to_jsonb(execution_attempts) as attempt,
       (select count(*) from history) as entries, (select count(*) from events) as events
     from callback_executions one join execution_attempts on execution_id = one.id
     join actions on actions.id = action_id join experiments on experiments.id = experiment_id where one.id = $1`,
    [id],
  );

describe('result values of more than 1 MiB in a report', () => {
  it('are rejected and change nothing, and the attempt stays open for a smaller report', async () => {
    const { experiment, claim, id } = await claimed();
    const before = await storedOf(id);
    const large = { ...done, run_log: 'ran', result_values: valuesOf(mebibyte + 1) };
    expect(await world.reportWithSecret(claim, large)).toMatchObject(tooLarge(mebibyte + 1));
    expect(await storedOf(id)).toEqual(before);
    expect(await world.report(id, large)).toMatchObject(tooLarge(mebibyte + 1));
    expect(await storedOf(id)).toEqual(before);
    const { status, body } = await world.reportWithSecret(claim, { ...large, result_values: valuesOf(mebibyte) });
    expect([status, body.status, body.run_log]).toEqual([200, 'finished', 'ran']);
    expect(body.result_values).toEqual(valuesOf(mebibyte));
    expect(await world.stateOf(experiment)).toBe('good');
  });

  it('are rejected for their own size if the logs are large, too', async () => {
    const { claim } = await claimed();
    const log = 'l'.repeat(3 * mebibyte);
    const large = { ...done, run_log: log, result_log: log, result_values: valuesOf(mebibyte + 1) };
    expect(await world.reportWithSecret(claim, large)).toMatchObject(tooLarge(mebibyte + 1));
    const smaller = await world.reportWithSecret(claim, { ...large, result_values: valuesOf(mebibyte) });
    expect(smaller).toMatchObject({ status: 200, body: done });
  });

  it('are rejected if only the written-out digits of their numbers exceed the limit', async () => {
    const { claim } = await claimed();
    const numbers = Array.from({ length: 4000 }, () => 1e300);
    const large = { ...done, result_values: { numbers } };
    expect(await world.reportWithSecret(claim, large)).toMatchObject({
      status: 413,
      body: { code: 'values_too_large' },
    });
  });

  it('are rejected on a finished execution', async () => {
    const { claim, id } = await claimed();
    await world.reportWithSecret(claim, done);
    const before = await storedOf(id);
    const late = await world.reportWithSecret(claim, { result_values: valuesOf(mebibyte + 1) });
    expect(late).toMatchObject(tooLarge(mebibyte + 1));
    expect(await storedOf(id)).toEqual(before);
    const smaller = await world.reportWithSecret(claim, { result_values: valuesOf(mebibyte) });
    expect(smaller).toMatchObject({ status: 200, body: { result_values: valuesOf(mebibyte) } });
  });

  it('do not use up the idempotency key of the report', async () => {
    const { claim, id } = await claimed();
    const send = (bytes: number) =>
      server.call('updateCallbackExecution', {
        params: { id },
        as: null,
        headers: { authorization: `Bearer ${claim.secret}`, 'idempotency-key': `report ${id}`.replace(' ', '-') },
        fields: 'status',
        body: { ...done, result_values: valuesOf(bytes) },
      });
    expect(await send(mebibyte + 1)).toMatchObject(tooLarge(mebibyte + 1));
    expect(await send(mebibyte)).toMatchObject({ status: 200, body: { status: 'finished' } });
  });
});

it('MILEPOST_RESULT_VALUES_BYTES sets the limit of result values', async () => {
  const small = await startTestServer({ settings: { MILEPOST_RESULT_VALUES_BYTES: '2048' } });
  try {
    const other = createEngineWorld(small);
    const { id } = await other.executionOf(await other.experimentIn(pulledWorkflow('small')), 'c');
    expect(await other.finish(id, 'success', valuesOf(2049))).toMatchObject(tooLarge(2049, 2048));
    expect(await other.finish(id, 'success', valuesOf(2048))).toMatchObject({ status: 200 });
  } finally {
    await small.stop();
  }
});
