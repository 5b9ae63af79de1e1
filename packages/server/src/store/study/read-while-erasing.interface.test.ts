/**
 * Reading the history while a subject is erased returns the state before or after the erasure, and both are valid.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { verifyHistory, type StoredEntry } from '../../chain/verify-history.ts';
import { readChains } from '../record/chained-history.ts';

let server: TestServer;
let world: EngineWorld;
beforeAll(async () => {
  server = await startTestServer();
  world = createEngineWorld(server);
});
afterAll(() => server.stop());

const notes = 4;

/** Creates a withdrawn subject with a requested erasure and an experiment with notes. */
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

/** Erases the subject after that entry has been read. */
async function* eraseAt(
  entries: AsyncIterable<StoredEntry>,
  isPosition: (entry: StoredEntry) => boolean,
  erase: () => Promise<{ status: number }>,
) {
  for await (const entry of entries) {
    yield entry;
    if (isPosition(entry)) expect((await erase()).status).toBe(200);
  }
}

/** Pages that end before, within and at the end of the chain. */
const pageSizes = [1, 3, 5];
const positions = [1, notes - 1, notes + 1];

it.each(pageSizes)('readChains returns a valid history in pages of %i while a subject is erased', async (pageSize) => {
  for (const position of positions) {
    const { experiment, erase } = await makeSubject();
    const isPosition = ({ chain, chain_id: id, sequence }: StoredEntry) =>
      chain === 'experiment' && id === experiment && sequence === position;
    const entries = eraseAt(readChains(server.database.db, pageSize), isPosition, erase);
    expect(await verifyHistory(entries)).toMatchObject({ bad: undefined });
    expect(await verifyHistory(readChains(server.database.db, pageSize))).toMatchObject({ bad: undefined });
  }
});

it('readChains reads every entry once with any page size', async () => {
  const ids = async (pageSize: number) => {
    const read: number[] = [];
    for await (const { id } of readChains(server.database.db, pageSize)) read.push(id);
    return read;
  };
  const expected = await server.sql<{ id: number }>('select id::int from history order by chain, chain_id, sequence');
  for (const pageSize of pageSizes) expect(await ids(pageSize)).toEqual(expected.map(({ id }) => id));
});
