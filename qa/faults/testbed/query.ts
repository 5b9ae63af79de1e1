/** Queries as the owner of the database, even while it is being killed. */
import { Client, DatabaseError } from 'pg';

interface Owned {
  ownerUrl: string;
}

export async function withOwner<T>({ ownerUrl }: Owned, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: ownerUrl, connectionTimeoutMillis: 300_000 });
  // A connection that breaks between two statements fails the next one, and must not crash this process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export const query = <T extends object>(postgres: Owned, text: string, values: readonly unknown[] = []): Promise<T[]> =>
  withOwner(postgres, async (client) => (await client.query<T>(text, [...values])).rows);

/** Whether the query returns a row. False while the database is down. */
export const finds = (postgres: Owned, text: string, values: readonly unknown[] = []): Promise<boolean> =>
  query(postgres, text, values).then(
    (rows) => rows.length > 0,
    (error: unknown) => {
      if (isInvalidQuery(error)) throw error;
      return false;
    },
  );

const isInvalidQuery = (error: unknown) => error instanceof DatabaseError && error.code?.startsWith('42') === true;
