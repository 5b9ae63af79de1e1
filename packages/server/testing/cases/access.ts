/** The two columns that follow from the access column of the table: the same request as in success, by the wrong person. */
import type { Access } from '@milepost/api';
import { None, type Cell, type Column, type Expectation } from './matrix.ts';
import type { World } from './world.ts';

export type AccessColumn = Extract<Column, 'missing sign-in' | 'missing permission'>;

export async function refusedCaller(
  world: World,
  { access, success, column }: { access: Access; success: Cell | undefined; column: AccessColumn },
): Promise<Expectation> {
  if (success === undefined || success instanceof None) throw new Error('an operation needs a request that succeeds');
  const [prepare] = Object.values(success);
  if (!prepare) throw new Error('an operation needs a request that succeeds');
  const { request } = await prepare(world);
  if (column === 'missing sign-in') return { request: { ...request, as: null }, status: 401, code: 'not_signed_in' };
  const { username } = await world.people.lacking(access);
  return { request: { ...request, as: username }, status: 403, code: 'not_allowed' };
}
