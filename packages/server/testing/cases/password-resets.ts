import { createHash, randomBytes } from 'node:crypto';
import type { passwordResetOperations } from '@milepost/api';
import { found, invalid, unknownParameter } from './expectations.ts';
import { none, readsOnly, refersToNothing, type SectionCases } from './matrix.ts';
import type { World } from './world.ts';

const password = 'another fine sentence';

/** Inserts a reset link that was sent to the user and returns its token. */
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
const nothingRecorded = { history: [], events: [] };

export const passwordResetCases: SectionCases<typeof passwordResetOperations> = {
  getSignInWays: {
    success: {
      'returns the configured sign-in options': () =>
        found({ as: null }, { single_sign_on: null, password_reset: true }),
    },
    validation: unknownParameter(async () => ({})),
    'missing reference': refersToNothing,
    conflict: readsOnly,
  },
  askPasswordReset: {
    success: {
      'stores a request for an account': async (world) => {
        const { id, username } = await world.user();
        return {
          request: { as: null, body: { login: username } },
          status: 202,
          recorded: nothingRecorded,
          stored: {
            query: 'select token_hash, sent_at from password_resets where user_id = $1',
            values: [id],
            rows: [{ token_hash: null, sent_at: null }],
          },
        };
      },
    },
    validation: {
      'rejects a missing login': () => invalid({ as: null, body: {} }, '/login'),
      'rejects an unknown field': () => invalid({ as: null, body: { login: 'x', email: 'x@example.org' } }, '/email'),
    },
    'missing reference': {
      'returns the same response for an unknown name': () => ({
        request: { as: null, body: { login: 'unknown' } },
        status: 202,
        recorded: nothingRecorded,
      }),
    },
    conflict: none('A reset can be requested any number of times. Only the number of mails is limited.'),
  },
  redeemPasswordReset: {
    success: {
      'sets the password and ends the link': async (world) => {
        const { id, username } = await world.user();
        return {
          ...found({ as: null, body: { token: await linkOf(world, id), password } }, { username }),
          recordedAs: username,
          stored: {
            query: 'select count(*)::int from password_resets where user_id = $1 and ended_at is null',
            values: [id],
            rows: [{ count: 0 }],
          },
        };
      },
    },
    validation: {
      'rejects a missing token': () => invalid({ as: null, body: { password } }, '/token'),
      'rejects a common password and keeps the link valid': async (world) => {
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
      'rejects an unknown token': () => refusedToken('x'.repeat(43)),
      'rejects the token of an inactive user': async (world) => {
        const { id } = await world.user();
        const token = await linkOf(world, id);
        await world.call('deleteUser', { params: { id } });
        return refusedToken(token);
      },
    },
    conflict: {
      'rejects a used token': async (world) => {
        const token = await linkOf(world, (await world.user()).id);
        await world.call('redeemPasswordReset', { as: null, body: { token, password } });
        return refusedToken(token);
      },
      'rejects an expired token': async (world) =>
        refusedToken(await linkOf(world, (await world.user()).id, { expired: true })),
    },
  },
};
