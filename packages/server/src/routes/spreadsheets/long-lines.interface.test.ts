/**
 * Imports whose lines are long: few of them are in memory at once.
 *
 * @module-tag sql
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../../testing/import-world.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { runImportSet } from '../../engine/spreadsheets/run-imports.ts';

const count = 90;
/** As many lines have 4 MB. */
const atOnce = 40;
const cell = 'x'.repeat(100_000);

let server: TestServer;
let world: ImportWorld;
let cohortId: number;
let id: number;
beforeAll(async () => {
  server = await startTestServer();
  world = await createImportWorld(server);
  cohortId = await world.cohort();
  const lines = Array.from({ length: count }, (_, index) => `L-${index},${cell}`);
  id = (await world.upload(cohortId, ['subject,comment', ...lines].join('\n'))).body.id;
});
afterAll(() => server.stop());

const workOnce = () => runImportSet(world.context);

describe('an import of long lines', () => {
  it('shows the beginning of their values', async () => {
    const { columns } = await world.read(id);
    expect(columns[1].first_values).toEqual(Array.from({ length: 3 }, () => cell.slice(0, 200)));
  });

  it('is checked in sets of a limited size', async () => {
    const checked = [];
    while ((await world.read(id)).status === 'checking' && (await workOnce()))
      checked.push((await world.read(id)).checked);
    expect([...new Set(checked)]).toEqual([atOnce, 2 * atOnce, count]);
  });

  it('lists its lines in pages of a limited size, and each of them once', async () => {
    const found = [];
    for (let after: number | undefined = 0; after !== undefined;) {
      const { body } = await server.call('listImportLines', { params: { id }, query: { after, limit: 1000 } });
      expect(body.lines.length).toBeLessThanOrEqual(atOnce);
      found.push(...body.lines);
      after = body.lines.at(-1)?.line;
    }
    expect(found.map(({ line }) => line)).toEqual(Array.from({ length: count }, (_, index) => index + 2));
    expect(found.every(({ values }) => values[1] === cell)).toBe(true);
  });

  it('is imported in sets of a limited size', async () => {
    await server.call('applyImport', { params: { id } });
    await workOnce();
    expect(await world.read(id)).toMatchObject({ status: 'running', done: atOnce });
    await world.work();
    expect(await world.read(id)).toMatchObject({ status: 'finished', done: count, new_subjects: count });
  });
});
