/** API tokens for tests. */
import { bearer, type Permission } from '@milepost/api';
import type { TestServer } from './server.ts';

type Caller = Pick<TestServer, 'call'>;

export const dayMs = 86_400_000;
export const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();

/** Has the format of a token but does not exist. */
export const wrongToken = `mp_${'A'.repeat(43)}`;

/** Creates a token as its owner, and returns its id, its text and the parts of a request with it. */
export async function createTestToken(
  server: Caller,
  owner: { id: number; username: string },
  permissions: readonly Permission[] = [],
) {
  const body = { name: 'test token', permissions, expires_at: inDays(30) };
  const { body: made } = await server.call('createApiToken', { as: owner.username, params: { id: owner.id }, body });
  return { id: made.id as number, token: made.token as string, parts: tokenParts(made.token) };
}

export const tokenParts = (token: string) => ({ as: null, headers: { authorization: bearer(token) } });

/** Makes the token expire. */
export async function expireToken({ sql }: Pick<TestServer, 'sql'>, id: number): Promise<void> {
  await sql(
    `update api_tokens set created_at = now() - interval '2 days', last_used_at = null,
       expires_at = now() - interval '1 second' where id = $1`,
    [id],
  );
}
