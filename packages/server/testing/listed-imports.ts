/** An import and mappings with several rows in each of their lists, for the test of all lists. */
import { createImportWorld } from './import-world.ts';
import type { TestServer } from './server.ts';

/** A checked import with a fault in each line, and as many mappings of the cohort. */
export async function makeListedImport(server: TestServer, cohortId: number, rows: number): Promise<{ id: number }> {
  const lines = Array.from({ length: rows }, (_, n) => `faulty ${n};soon\n`).join('');
  const world = await createImportWorld(server);
  const { id } = await world.check(cohortId, `subject;scan_date\n${lines}`);
  const body = { columns: { subject: { target: 'subject' } } };
  for (let n = 0; n < rows; n++)
    await server.call('saveImportMapping', { params: { id: cohortId, name: `mapping ${n}` }, body });
  return { id };
}
