/**
 * When incidents of experiments open and close, and the constraint of one execution per callback and action.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow as work, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

describe('incidents', () => {
  it('do not block a move by a user, which closes them', async () => {
    const id = await world.experimentIn(work('rule16b'));
    await world.finish((await world.executionOf(id, 'c')).id, 'failed');
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'failed', open: true }]);
    expect((await world.move(id, 'other')).status).toBe(200);
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'failed', open: false }]);
  });
});

describe('callback_executions', () => {
  it('rejects a second execution of a callback in one action', async () => {
    const id = await world.experimentIn(work('rule17'));
    const { id: execution } = await world.executionOf(id, 'c');
    const again = server.sql(
      `insert into callback_executions (action_id, callback_id, callback_version)
       select action_id, callback_id, callback_version from callback_executions where id = $1`,
      [execution],
    );
    await expect(again).rejects.toThrow('callback_executions_callback_unique');
  });
});
