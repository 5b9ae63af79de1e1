/** @module-tag sql */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execution } from '../../../testing/cases/callbacks.ts';
import { createWorld, type World } from '../../../testing/cases/world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

/** An action whose callback has not finished. */
async function openAction() {
  const { id: executionId } = await execution(world);
  const { body } = await server.call('getCallbackExecution', { params: { id: executionId }, fields: 'action{id}' });
  return { id: body.action.id as number, executionId };
}
const update = (id: number, body: object) => server.call('updateAction', { params: { id }, body });

describe('success of an open action', () => {
  it.each([true, false])('can be set to %s alone', async (success) => {
    const { id } = await openAction();
    const { status, body } = await update(id, { success });
    expect([status, body.success, body.end_time]).toEqual([200, success, null]);
  });

  it('is overwritten when the action ends', async () => {
    const { id, executionId } = await openAction();
    await update(id, { success: true });
    const report = { status: 'finished', result: 'failed' };
    await server.call('updateCallbackExecution', { params: { id: executionId }, body: report });
    const { body } = await server.call('getAction', { params: { id } });
    expect([body.success, body.end_time]).toEqual([false, expect.any(String)]);
  });

  it('stays if the end is removed again', async () => {
    const { id } = await openAction();
    await update(id, { success: true, end_time: '2040-01-01T00:00:00Z' });
    const { status, body } = await update(id, { end_time: null });
    expect([status, body.success, body.end_time]).toEqual([200, true, null]);
  });
});

describe('end_time', () => {
  it.each([
    ['2040-01-01T12:30:00', '2040-01-01T12:30:00.000Z'],
    ['2040-01-01T12:30:00.250000', '2040-01-01T12:30:00.250Z'],
    ['2040-01-01T12:30', '2040-01-01T12:30:00.000Z'],
    ['2040-01-01T12:30:00Z', '2040-01-01T12:30:00.000Z'],
    ['2040-01-01T12:30:00+02:00', '2040-01-01T10:30:00.000Z'],
  ])('of %s is stored as %s', async (end_time, stored) => {
    const { id } = await openAction();
    expect((await update(id, { end_time })).body.end_time).toBe(stored);
  });

  it.each(['2040-01-01', '2040-02-30T12:00:00', '2040-01-01T25:00:00', '12:30:00', ''])(
    'of %j is rejected with 400',
    async (end_time) => {
      const { id } = await openAction();
      const { status, body } = await update(id, { end_time });
      expect([status, body.errors]).toMatchObject([400, [{ pointer: '/end_time' }]]);
    },
  );
});
