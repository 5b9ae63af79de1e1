/** Tokens as programs have them. */
import { bearer, type Permission } from '@milepost/api';
import type { TestServer } from './server.ts';

type Caller = Pick<TestServer, 'call'>;

export const dayMs = 86_400_000;
export const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();

/** Looks like one, and is none. */
export const wrongToken = `mp_${'A'.repeat(43)}`;

/** Made by its owner: its id, its text, and the parts of a request that comes by it. */
export async function openToken(
  server: Caller,
  owner: { id: number; username: string },
  permissions: readonly Permission[] = [],
) {
  const body = { name: 'of a test', permissions, expires_at: inDays(30) };
  const { body: made } = await server.call('createApiToken', { as: owner.username, params: { id: owner.id }, body });
  return { id: made.id as number, token: made.token as string, parts: partsOf(made.token) };
}

export const partsOf = (token: string) => ({ as: null, headers: { authorization: bearer(token) } });

/** A token whose time is over. */
export async function expireToken({ sql }: Pick<TestServer, 'sql'>, id: number): Promise<void> {
  await sql(
    `update api_tokens set created_at = now() - interval '2 days', last_used_at = null,
       expires_at = now() - interval '1 second' where id = $1`,
    [id],
  );
}
