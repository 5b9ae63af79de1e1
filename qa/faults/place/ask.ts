/** Looks behind the interface, also while the database is being killed. */
import { Client } from 'pg';
import type { Postgres } from './postgres.ts';

export async function withOwner<T>(
  { ownerUrl }: Pick<Postgres, 'ownerUrl'>,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: ownerUrl, connectionTimeoutMillis: 30_000 });
  // What breaks between two statements shows in the next one, and must not end this process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export const ask = <T extends object>(postgres: Pick<Postgres, 'ownerUrl'>, text: string): Promise<T[]> =>
  withOwner(postgres, async (client) => (await client.query<T>(text)).rows);
