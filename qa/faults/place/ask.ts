/** Queries as the database's owner, also while the database is being killed. */
import { Client, DatabaseError } from 'pg';
import type { Postgres } from './postgres.ts';

type Owned = Pick<Postgres, 'ownerUrl'>;

export async function withOwner<T>({ ownerUrl }: Owned, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: ownerUrl, connectionTimeoutMillis: 300_000 });
  // What breaks between two statements shows in the next one, and must not end this process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export const ask = <T extends object>(postgres: Owned, text: string, values: readonly unknown[] = []): Promise<T[]> =>
  withOwner(postgres, async (client) => (await client.query<T>(text, [...values])).rows);

/** Whether the query finds something. While the database is down it does not. */
export const finds = (postgres: Owned, text: string, values: readonly unknown[] = []): Promise<boolean> =>
  ask(postgres, text, values).then(
    (rows) => rows.length > 0,
    (error: unknown) => {
      if (isWrongQuery(error)) throw error;
      return false;
    },
  );

const isWrongQuery = (error: unknown) => error instanceof DatabaseError && error.code?.startsWith('42') === true;
