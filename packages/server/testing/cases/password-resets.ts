import { createHash, randomBytes } from 'node:crypto';
import type { passwordResetOperations } from '@milepost/api';
import { found, invalid, unknownParameter } from './expectations.ts';
import { none, readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const password = 'another fine sentence';

/** A link that was sent to somebody, and works unless it is told otherwise. */
const linkOf = async (world: World, userId: number, more: { expired?: boolean } = {}): Promise<string> => {
  const token = randomBytes(32).toString('base64url');
  await world.sql(
    `insert into password_resets (user_id, token_hash, sent_at, expires_at)
     values ($1, $2, now(), now() + $3 * interval '30 minutes')`,
    [userId, createHash('sha256').update(token).digest(), more.expired ? -1 : 1],
  );
  return token;
};
const refusedToken = (token: string) => ({
  request: { as: null, body: { token, password } },
  status: 403,
  code: 'wrong_reset_token' as const,
});
const silent = { history: [], events: [] };

export const passwordResetCases: SectionCases<typeof passwordResetOperations> = {
  getSignInWays: {
    success: {
      'what the settings say': () => found({ as: null }, { single_sign_on: null, password_reset: true }),
    },
    validation: unknownParameter(async () => ({})),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  askPasswordReset: {
    success: {
      'for an account': async (world) => {
        const { id, username } = await world.user();
        return {
          request: { as: null, body: { login: username } },
          status: 202,
          recorded: silent,
          stored: {
            query: 'select token_hash, sent_at from password_resets where user_id = $1',
            values: [id],
            rows: [{ token_hash: null, sent_at: null }],
          },
        };
      },
    },
    validation: {
      'no name': () => invalid({ as: null, body: {} }, '/login'),
      'an unknown field': () => invalid({ as: null, body: { login: 'x', email: 'x@example.org' } }, '/email'),
    },
    'missing reference': {
      'a name that nobody has, which is answered the same': () => ({
        request: { as: null, body: { login: 'nobody' } },
        status: 202,
        recorded: silent,
      }),
    },
    conflict: none('Anybody may ask any number of times; how many letters are sent is another matter.'),
  },
  redeemPasswordReset: {
    success: {
      'a link that works': async (world) => {
        const { id, username } = await world.user();
        return {
          ...found({ as: null, body: { token: await linkOf(world, id), password } }, { username }),
          by: username,
          stored: {
            query: 'select count(*)::int from password_resets where user_id = $1 and ended_at is null',
            values: [id],
            rows: [{ count: 0 }],
          },
        };
      },
    },
    validation: {
      'no token': () => invalid({ as: null, body: { password } }, '/token'),
      'a common password, and the link still works': async (world) => {
        const { id } = await world.user();
        const body = { token: await linkOf(world, id), password: 'password1234' };
        return {
          ...invalid({ as: null, body }, '/password'),
          stored: {
            query: 'select count(*)::int from password_resets where user_id = $1 and ended_at is null',
            values: [id],
            rows: [{ count: 1 }],
          },
        };
      },
    },
    'missing reference': {
      'a token that was never sent': () => refusedToken('x'.repeat(43)),
      'the token of somebody who is deactivated': async (world) => {
        const { id } = await world.user();
        const token = await linkOf(world, id);
        await world.call('deleteUser', { params: { id } });
        return refusedToken(token);
      },
    },
    conflict: {
      'a token that was used': async (world) => {
        const token = await linkOf(world, (await world.user()).id);
        await world.call('redeemPasswordReset', { as: null, body: { token, password } });
        return refusedToken(token);
      },
      'a token that is over': async (world) =>
        refusedToken(await linkOf(world, (await world.user()).id, { expired: true })),
    },
  },
};
