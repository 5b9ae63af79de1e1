import { operationQuery, type BodyOf } from '../api/operation-query.ts';

export type Token = BodyOf<'listApiTokens'>['tokens'][number];

/** Creating and revoking a token causes an event of its owner. */
export const tokensQuery = (userId: number) =>
  operationQuery(
    'listApiTokens',
    { params: { id: userId } },
    ({ object_kind, object_id }) => object_kind === 'user' && object_id === userId,
  );

/** Whether the token is neither expired nor revoked. */
export const isActive = ({ revoked_at, expires_at }: Token, now: Date): boolean =>
  revoked_at === null && Date.parse(expires_at) > now.getTime();
