import { expect } from 'vitest';
import type { tokenOperations } from '@milepost/api';
import { testPassword } from '../server.ts';
import { inDays, createTestToken } from '../tokens.ts';
import { found, invalid, missing, missingParts, noSuchId, invalidPaging } from './expectations.ts';
import { readsOnly, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.user()).id });
const tokenBody = (more: object = {}) => ({ name: 'Nightly import', permissions: [], expires_at: inDays(90), ...more });

const withToken = async (world: World) => {
  const user = await world.user('sample_add');
  const { id } = await createTestToken(world, user, ['sample_add']);
  return { user, tokenId: id, params: { id: user.id, token_id: id } };
};

export const tokenCases: SectionCases<typeof tokenOperations> = {
  listApiTokens: {
    success: {
      'returns the tokens of another user': async (world) => {
        const { tokenId, params } = await withToken(world);
        const one = { id: tokenId, permissions: ['sample_add'], last_used_at: null, revoked_at: null };
        return found({ params: { id: params.id } }, { tokens: [one] });
      },
      "returns the caller's own tokens": async (world) => {
        const { user, tokenId } = await withToken(world);
        return found({ params: { id: user.id }, as: user.username }, { tokens: [{ id: tokenId }] });
      },
    },
    validation: invalidPaging(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  createApiToken: {
    success: {
      'creates a token for another user': async (world) => {
        const { id } = await world.user();
        return {
          // Callers with a session must repeat their password.
          request: { params: { id }, body: tokenBody({ current_password: testPassword }) },
          status: 201,
          body: { name: 'Nightly import', permissions: [], last_used_at: null, revoked_at: null },
          stored: {
            query: 'select name from api_tokens where user_id = $1',
            values: [id],
            rows: [{ name: 'Nightly import' }],
          },
        };
      },
      "creates a token with a part of the caller's permissions": async (world) => {
        const { id, username } = await world.user('sample_add', 'sample_update');
        const body = tokenBody({ permissions: ['sample_add'] });
        return { request: { params: { id }, as: username, body }, status: 201, body: { permissions: ['sample_add'] } };
      },
    },
    validation: {
      'rejects a missing expiry date': async (world) =>
        invalid({ params: await byId(world), body: { name: 'x', permissions: [] } }, '/expires_at'),
      'rejects an expiry date in the past': async (world) =>
        invalid({ params: await byId(world), body: tokenBody({ expires_at: inDays(-1) }) }, '/expires_at'),
      'rejects an expiry date 367 days from now': async (world) =>
        invalid({ params: await byId(world), body: tokenBody({ expires_at: inDays(367) }) }, '/expires_at'),
      'rejects an unknown permission': async (world) =>
        invalid({ params: await byId(world), body: tokenBody({ permissions: ['everything'] }) }, '/permissions/0'),
      'rejects a repeated permission': async (world) =>
        invalid(
          { params: await byId(world), body: tokenBody({ permissions: ['user_read', 'user_read'] }) },
          '/permissions',
        ),
    },
    'missing reference': {
      'returns 404 for an unknown id': () => missing({ params: { id: noSuchId }, body: tokenBody() }),
    },
    conflict: {
      'rejects more than 100 active tokens of a user': async (world) => {
        const { id } = await world.user();
        await world.sql(
          `insert into api_tokens (user_id, token_hash, name, permissions, expires_at)
           select $1::bigint, sha256(($1::bigint || ' ' || n)::bytea), 'x', '{}', now() + interval '1 day' from generate_series(1, 100) n`,
          [id],
        );
        return { request: { params: { id }, body: tokenBody() }, status: 409, code: 'too_many_tokens' };
      },
      'rejects an inactive account': async (world) => {
        const { id } = await world.user();
        await world.call('deleteUser', { params: { id } });
        return { request: { params: { id }, body: tokenBody() }, status: 409, code: 'account_inactive' };
      },
    },
  },
  revokeApiToken: {
    success: {
      'revokes a token of another user': async (world) => {
        const { params, tokenId } = await withToken(world);
        return {
          ...found({ params }, { id: tokenId, revoked_at: expect.any(String) }),
          moveToUser: (id: number) => world.sql('update api_tokens set user_id = $2 where id = $1', [tokenId, id]),
          stored: {
            query: 'select revoked_at is not null as revoked from api_tokens where id = $1',
            values: [tokenId],
            rows: [{ revoked: true }],
          },
        };
      },
    },
    validation: {
      'rejects a body': async (world) =>
        invalid({ params: (await withToken(world)).params, body: { ended: true } }, ''),
    },
    'missing reference': {
      ...missingParts(async (world) => (await withToken(world)).params, { token_id: noSuchId, id: noSuchId }),
      'returns 404 for a token of another user': async (world) => {
        const { params } = await withToken(world);
        return missing({ params: { ...params, id: (await world.user()).id } });
      },
    },
    conflict: {
      'returns 404 for a revoked token': async (world) => {
        const { params } = await withToken(world);
        await world.call('revokeApiToken', { params });
        return missing({ params });
      },
    },
  },
};
