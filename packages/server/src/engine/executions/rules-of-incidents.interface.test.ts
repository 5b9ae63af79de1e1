/**
 * Rules 16 and 17: what needs attention and until when; one execution per callback and action.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineAs } from '../../../testing/engine-as.ts';
import { createEngineWorld, pulledWorkflow as work, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { createUnclaimedSweep } from './reconcile.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

describe('rule 16: incidents', () => {
  it('what nobody starts for 15 minutes needs attention until it is claimed', async () => {
    const id = await world.experimentIn(work('rule16'));
    const sweep = createUnclaimedSweep();
    await sweep(engineAs(server, 'reconcile'));
    expect(await world.incidentsOf(id)).toEqual([]);
    const { id: execution } = await world.executionOf(id, 'c');
    await server.sql(`update callback_executions set created = now() - interval '16 minutes' where id = $1`, [
      execution,
    ]);
    await sweep(engineAs(server, 'reconcile'));
    await sweep(engineAs(server, 'reconcile'));
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'unclaimed', open: true }]);
    expect(await world.claim('rule16')).toHaveLength(1);
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'unclaimed', open: false }]);
  });

  it('what a person decides before anybody starts it is no longer unclaimed, and needs no job', async () => {
    const id = await world.experimentIn(
      work('rule16c').replace('callbacks:', 'callbacks:\n      - {label: b, function: worker}'),
    );
    const { id: execution } = await world.executionOf(id, 'c');
    await server.sql(`update callback_executions set created = now() - interval '16 minutes' where id = $1`, [
      execution,
    ]);
    await createUnclaimedSweep()(engineAs(server, 'reconcile'));
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'unclaimed', open: true }]);
    await world.finish(execution, 'success');
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'unclaimed', open: false }]);
    expect(await world.claim('rule16c')).toEqual([]);
  });

  it('a person moves it all the same, and that closes what was open', async () => {
    const id = await world.experimentIn(work('rule16b'));
    await world.finish((await world.executionOf(id, 'c')).id, 'failed');
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'failed', open: true }]);
    expect((await world.move(id, 'other')).status).toBe(200);
    expect(await world.incidentsOf(id)).toEqual([{ kind: 'failed', open: false }]);
  });
});

describe('rule 17: one execution per callback and action', () => {
  it('holds by the id of the callback, whatever its version', async () => {
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
