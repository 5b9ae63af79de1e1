import { expect } from 'vitest';
import type { tokenOperations } from '@milepost/api';
import { testPassword } from '../server.ts';
import { inDays, openToken } from '../tokens.ts';
import { found, invalid, missing, missingParts, noSuchId, wrongPages } from './expectations.ts';
import { readsOnly, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const byId = async (world: World) => ({ id: (await world.user()).id });
const wanted = (more: object = {}) => ({ name: 'Nightly import', permissions: [], expires_at: inDays(90), ...more });

const withToken = async (world: World) => {
  const user = await world.user('sample_add');
  const { id } = await openToken(world, user, ['sample_add']);
  return { user, tokenId: id, params: { id: user.id, token_id: id } };
};

export const tokenCases: SectionCases<typeof tokenOperations> = {
  listApiTokens: {
    success: {
      'of somebody else': async (world) => {
        const { tokenId, params } = await withToken(world);
        const one = { id: tokenId, permissions: ['sample_add'], last_used_at: null, revoked_at: null };
        return found({ params: { id: params.id } }, { tokens: [one] });
      },
      'the own ones': async (world) => {
        const { user, tokenId } = await withToken(world);
        return found({ params: { id: user.id }, as: user.username }, { tokens: [{ id: tokenId }] });
      },
    },
    validation: wrongPages(byId),
    'missing reference': missingParts(byId, { id: noSuchId }),
    conflict: readsOnly,
  },
  createApiToken: {
    success: {
      'for somebody else': async (world) => {
        const { id } = await world.user();
        return {
          // Needed by those who come by a session.
          request: { params: { id }, body: wanted({ current_password: testPassword }) },
          status: 201,
          body: { name: 'Nightly import', permissions: [], last_used_at: null, revoked_at: null },
          stored: {
            query: 'select name from api_tokens where user_id = $1',
            values: [id],
            rows: [{ name: 'Nightly import' }],
          },
        };
      },
      'a part of what one may do': async (world) => {
        const { id, username } = await world.user('sample_add', 'sample_update');
        const body = wanted({ permissions: ['sample_add'] });
        return { request: { params: { id }, as: username, body }, status: 201, body: { permissions: ['sample_add'] } };
      },
    },
    validation: {
      'no end': async (world) =>
        invalid({ params: await byId(world), body: { name: 'x', permissions: [] } }, '/expires_at'),
      'an end that has passed': async (world) =>
        invalid({ params: await byId(world), body: wanted({ expires_at: inDays(-1) }) }, '/expires_at'),
      'an end in 367 days': async (world) =>
        invalid({ params: await byId(world), body: wanted({ expires_at: inDays(367) }) }, '/expires_at'),
      'a permission that is none': async (world) =>
        invalid({ params: await byId(world), body: wanted({ permissions: ['everything'] }) }, '/permissions/0'),
      'a permission twice': async (world) =>
        invalid(
          { params: await byId(world), body: wanted({ permissions: ['user_read', 'user_read'] }) },
          '/permissions',
        ),
    },
    'missing reference': { 'an unknown id': () => missing({ params: { id: noSuchId }, body: wanted() }) },
    conflict: {
      'more than 100 at a time': async (world) => {
        const { id } = await world.user();
        await world.sql(
          `insert into api_tokens (user_id, token_hash, name, permissions, expires_at)
           select $1::bigint, sha256(($1::bigint || ' ' || n)::bytea), 'x', '{}', now() + interval '1 day' from generate_series(1, 100) n`,
          [id],
        );
        return { request: { params: { id }, body: wanted() }, status: 409, code: 'too_many_tokens' };
      },
      'an account that is not active': async (world) => {
        const { id } = await world.user();
        await world.call('deleteUser', { params: { id } });
        return { request: { params: { id }, body: wanted() }, status: 409, code: 'account_inactive' };
      },
    },
  },
  revokeApiToken: {
    success: {
      'of somebody else': async (world) => {
        const { params, tokenId } = await withToken(world);
        return {
          ...found({ params }, { id: tokenId, revoked_at: expect.any(String) }),
          below: (id: number) => world.sql('update api_tokens set user_id = $2 where id = $1', [tokenId, id]),
          stored: {
            query: 'select revoked_at is not null as over from api_tokens where id = $1',
            values: [tokenId],
            rows: [{ over: true }],
          },
        };
      },
    },
    validation: {
      'a body': async (world) => invalid({ params: (await withToken(world)).params, body: { ended: true } }, ''),
    },
    'missing reference': {
      ...missingParts(async (world) => (await withToken(world)).params, { token_id: noSuchId, id: noSuchId }),
      'a token of somebody else': async (world) => {
        const { params } = await withToken(world);
        return missing({ params: { ...params, id: (await world.user()).id } });
      },
    },
    conflict: {
      'a token that was revoked is not there any more': async (world) => {
        const { params } = await withToken(world);
        await world.call('revokeApiToken', { params });
        return missing({ params });
      },
    },
  },
};
