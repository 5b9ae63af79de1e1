import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { shortenLog } from './shorten-log.ts';

const maxBytes = 1024 * 1024;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function shorten(log: string): Promise<string> {
  const { rows } = await sql<{ log: string }>`select ${shortenLog(sql`${log}::text`)} as log`.execute(
    server.database.db,
  );
  return rows[0]?.log ?? '';
}

describe('a log', { tags: ['sql'] }, () => {
  it.each([
    ['of 1 MiB', 'x'.repeat(maxBytes)],
    ['of 1 MiB in multibyte characters', 'é'.repeat(maxBytes / 2)],
  ])('%s is kept unchanged', async (_size, log) => {
    expect(await shorten(log)).toBe(log);
  });

  it.each([
    ['one byte over 1 MiB', `start${'x'.repeat(maxBytes - 8)}end!`],
    ['of 16 MiB', `start${'x'.repeat(16 * maxBytes)}end!`],
    ['of 4 MiB in multibyte characters', `start${'é'.repeat(2 * maxBytes)}end!`],
  ])('%s is shortened to at most 1 MiB and keeps its start and end', async (_size, log) => {
    const shortened = await shorten(log);
    expect(Buffer.byteLength(shortened)).toBeLessThanOrEqual(maxBytes);
    expect(Buffer.byteLength(shortened)).toBeGreaterThan(maxBytes - 5000);
    expect(shortened).toMatch(/^start[^]*\n\[\.\.\. cut here \.\.\.\]\n[^]*end!$/);
  });
});
