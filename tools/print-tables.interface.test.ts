import { expect, it } from 'vitest';
import { createTestDatabase, withClient } from '../packages/server/testing/test-database.ts';
import { tablesFile, tablesText } from './print-tables.ts';
import { isFresh } from './printed-file.ts';

it('tables.ts matches the migrated database', async () => {
  const { ownerUrl, drop } = await createTestDatabase();
  const text = await withClient(ownerUrl, tablesText);
  await drop();
  expect(
    await isFresh({ file: tablesFile, text }),
    'tables.ts is stale. Run node --conditions=source tools/print-tables.ts.',
  ).toBe(true);
});

it('tables.ts is stale after a migration adds a column', async () => {
  const { ownerUrl, drop } = await createTestDatabase();
  const text = await withClient(ownerUrl, async (client) => {
    await client.query(
      `alter table cohorts add column mood text not null default 'calm' check (mood in ('calm', 'busy'))`,
    );
    return tablesText(client);
  });
  await drop();
  expect(text).toContain(`  mood: Generated<'calm' | 'busy'>;\n`);
  expect(await isFresh({ file: tablesFile, text })).toBe(false);
});
