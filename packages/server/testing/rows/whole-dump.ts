/** Dumps the database as text: every row of every table of every schema, including the queue. */
import type { Client } from 'pg';
import { expect } from 'vitest';
import { withClient } from '../test-database.ts';

export const dumpAll = (superuserUrl: string): Promise<string> =>
  withClient(superuserUrl, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class
       where relkind in ('r', 'm') and relnamespace::regnamespace::text !~ '^(pg_|information_schema$)' order by name`,
    );
    const parts: string[] = [];
    for (const { name } of rows) parts.push(`${name}\n${await rowsOf(client, name)}`);
    return parts.join('\n');
  });

/** Layouts are computed in the background. The last of them would otherwise be stored during a later measurement. */
export async function whenLayoutsAreStored(superuserUrl: string): Promise<void> {
  const withoutLayout = `select from workflows where coalesce((layout ->> 'revision')::bigint, 0) <> revision`;
  const count = () => withClient(superuserUrl, async (client) => (await client.query(withoutLayout)).rowCount);
  await expect.poll(count).toBe(0);
}

export async function dumpAllWhenIdle(superuserUrl: string): Promise<string> {
  await whenLayoutsAreStored(superuserUrl);
  return dumpAll(superuserUrl);
}

async function rowsOf(client: Client, table: string): Promise<string> {
  const { rows } = await client.query<{ row: string }>(`select one::text as row from ${table} as one order by 1`);
  return rows.map(({ row }) => row).join('\n');
}
