/**
 * A status never goes back, whatever happens between the read and the write of a change.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineContext } from '../../../testing/engine-context.ts';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { queueDelayed } from '../../store/runs/sweeps.ts';
import type { EngineContext } from '../experiments/optimistic-lock.ts';
import { reportExecution, type Report } from './report-execution.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

/** Takes a step of another process after the change has read the experiment and before it writes. */
function afterRead(context: EngineContext, step: () => Promise<void>): EngineContext {
  const steps = [step];
  const get: EngineContext['models']['get'] = async (...args) => {
    await steps.pop()?.();
    return context.models.get(...args);
  };
  return { ...context, models: { get } };
}

async function delayed() {
  const queue = world.fresh('queue').replace(' ', '_');
  const experiment = await world.experimentIn(pulledWorkflow(queue, ', initial_delay: 3600'));
  const { id } = await world.executionOf(experiment, 'c');
  const pass = async () => {
    await server.sql('update callback_executions set next_attempt_at = now() where id = $1', [id]);
    await queueDelayed(server.database.db);
  };
  return { id, pass };
}

const stored = async (id: number) => {
  const [row] = await server.sql(
    'select status, result_log, next_attempt_at is not null as due from callback_executions where id = $1',
    [id],
  );
  return row;
};

/** Sends a report that reads the execution before its initial delay has passed, and writes after that. */
const send = async (report: Report) => {
  const { id, pass } = await delayed();
  const context = afterRead(engineContext(server, 'updateCallbackExecution'), pass);
  const outcome = await reportExecution(context, id, 'person', report).catch((error: { code: string }) => error.code);
  return { outcome, stored: await stored(id) };
};

describe('a report that has read `created` when the initial delay passes', () => {
  it('keeps `queued` if it contains no status', async () => {
    expect(await send({ result_log: 'noted' })).toEqual({
      outcome: 'recorded',
      stored: { status: 'queued', result_log: 'noted', due: true },
    });
  });

  it('is rejected if it contains `created`', async () => {
    expect(await send({ status: 'created', result_log: 'noted' })).toEqual({
      outcome: 'status_conflict',
      stored: { status: 'queued', result_log: '', due: true },
    });
  });
});

it('an experiment that another transaction locks does not keep other executions from being queued', async () => {
  const [locked, free] = [await delayed(), await delayed()];
  await server.database.db.transaction().execute(async (tx) => {
    await tx
      .selectFrom('experiments')
      .innerJoin('actions', 'actions.experiment_id', 'experiments.id')
      .innerJoin('callback_executions', 'callback_executions.action_id', 'actions.id')
      .select('experiments.id')
      .where('callback_executions.id', '=', locked.id)
      .forUpdate('experiments')
      .execute();
    await locked.pass();
    await free.pass();
    expect(await stored(locked.id)).toMatchObject({ status: 'created' });
    expect(await stored(free.id)).toMatchObject({ status: 'queued' });
  });
  await locked.pass();
  expect(await stored(locked.id)).toMatchObject({ status: 'queued' });
});

describe('the test databases', () => {
  it.each([
    ['queued', 'created'],
    ['running', 'queued'],
    ['waiting', 'running'],
    ['finished', 'waiting'],
    ['finished', 'skipped'],
  ])('reject an application that sets `%s` back to `%s`', async (from, to) => {
    const queue = world.fresh('queue').replace(' ', '_');
    const experiment = await world.experimentIn(pulledWorkflow(queue, ', wait_timeout: 5'));
    const { id } = await world.executionOf(experiment, 'c');
    if (from !== 'queued') await world.report(id, { status: from });
    const setBack = 'update callback_executions set status = $2, version = version + 1 where id = $1';
    await expect(server.database.pool.query(setBack, [id, to])).rejects.toThrow(
      `was ${from} and was set back to ${to}`,
    );
  });
});
