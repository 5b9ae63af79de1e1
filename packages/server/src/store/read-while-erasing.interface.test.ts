/**
 * The history is read while a subject is erased: what is read is of before or of after, and verifies either way.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { verifyHistory, type KeptEntry } from '../chain/verify-history.ts';
import { readChains } from './chained-history.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const notes = 4;

/** With an experiment of some notes, withdrawn, and its erasure asked for. */
async function makeSubject() {
  const experiment = await world.experimentIn(pulledWorkflow(world.fresh('queue').replace(' ', '_')));
  const { body } = await server.call('getExperiment', { params: { id: experiment } });
  const { id, label } = body.subject as { id: number; label: string };
  for (let index = 0; index < notes; index++) {
    await server.call('addNote', { params: { id: experiment }, body: { text: `note ${index}` } });
  }
  const params = { id };
  await server.call('withdrawSubject', { params, body: { reason: 'moved away', date: '2026-03-01' } });
  const erasure = await server.call('requestErasure', { params, body: { reason: 'by letter' } });
  const erase = () => server.call('eraseSubject', { params, body: { erasure_id: erasure.body.id, label } });
  return { id, experiment, erase };
}

/** Once, when that entry has been read. */
async function* erasingAt(
  entries: AsyncIterable<KeptEntry>,
  isPlace: (entry: KeptEntry) => boolean,
  erase: () => Promise<{ status: number }>,
) {
  for await (const entry of entries) {
    yield entry;
    if (isPlace(entry)) expect((await erase()).status).toBe(200);
  }
}

/** Pages that end before the chain, in it, and with it. */
const pageSizes = [1, 3, 5];
const places = [1, notes - 1, notes + 1];

it.each(pageSizes)('in pages of %i', async (pageSize) => {
  for (const place of places) {
    const { experiment, erase } = await makeSubject();
    const isPlace = ({ chain, chain_id: id, sequence }: KeptEntry) =>
      chain === 'experiment' && id === experiment && sequence === place;
    const entries = erasingAt(readChains(server.database.db, pageSize), isPlace, erase);
    expect(await verifyHistory(entries)).toMatchObject({ bad: undefined });
    expect(await verifyHistory(readChains(server.database.db, pageSize))).toMatchObject({ bad: undefined });
  }
});

it('reads every entry once, whatever the pages', async () => {
  const ids = async (pageSize: number) => {
    const read: number[] = [];
    for await (const { id } of readChains(server.database.db, pageSize)) read.push(id);
    return read;
  };
  const expected = await server.sql<{ id: number }>('select id::int from history order by chain, chain_id, sequence');
  for (const pageSize of pageSizes) expect(await ids(pageSize)).toEqual(expected.map(({ id }) => id));
});
