/** Short words for what most cells expect. */
import type { Parts } from '../server.ts';
import type { Cases, Expectation } from './matrix.ts';
import type { World } from './world.ts';

/** An id that no row of a test has. */
export const noSuchId = 4_000_000_000;

/** Without `pointers` the errors are not looked at; with them they are these and no others. */
const refused =
  (status: number, code: NonNullable<Expectation['code']>) =>
  (request: Parts, ...pointers: string[]): Expectation => ({
    request,
    status,
    code,
    ...(pointers.length > 0 && { pointers }),
  });

export const invalid = refused(400, 'invalid_request');
export const invalidDefinition = refused(400, 'invalid_definition');
export const missing = refused(404, 'not_found');
export const taken = refused(409, 'already_exists');
export const lastAdmin = refused(409, 'last_admin');
export const ambiguous = refused(409, 'ambiguous_reference');

export const found = (request: Parts, body: object): Expectation => ({ request, status: 200, body });

type ParamsOf = (world: World) => Promise<NonNullable<Parts['params']>>;

/** What can be wrong with a request that has neither body nor parameters of its own. */
export const unknownParameter = (params: ParamsOf): Cases => ({
  'a query parameter that nobody knows': async (world) =>
    invalid({ params: await params(world), query: { label: 'x' } }, '?label'),
});

/** What can be wrong with the pages of a list. */
export const wrongPages = (params: ParamsOf = async () => ({})): Cases => ({
  'a limit that is no number': async (world) =>
    invalid({ params: await params(world), query: { limit: 'ten' } }, '?limit'),
  'after and offset together': async (world) =>
    invalid({ params: await params(world), query: { after: 1, offset: 1 } }, '?offset'),
});

/** One fault of a path that is complete otherwise: each of its parts names something that is not there. */
export const missingParts = (params: ParamsOf, missingOnes: Record<string, string | number>, body?: object): Cases =>
  Object.fromEntries(
    Object.entries(missingOnes).map(([name, nobody]) => [
      `an unknown ${name}`,
      async (world: World) =>
        missing({ params: { ...(await params(world)), [name]: nobody }, ...(body !== undefined && { body }) }),
    ]),
  );
