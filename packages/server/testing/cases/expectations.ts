/** The expected responses that most cells of the matrix share. */
import type { Parts } from '../server.ts';
import type { Cases, Expectation } from './matrix.ts';
import type { World } from './world.ts';

/** An id that never exists. */
export const noSuchId = 4_000_000_000;

/** With `pointers`, the response must have exactly these errors. Without, errors are not checked. */
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

/** For requests that have neither a body nor query parameters. */
export const unknownParameter = (params: ParamsOf): Cases => ({
  'rejects an unknown query parameter': async (world) =>
    invalid({ params: await params(world), query: { label: 'x' } }, '?label'),
});

/** For lists with pages. */
export const invalidPaging = (params: ParamsOf = async () => ({})): Cases => ({
  'rejects a limit that is not a number': async (world) =>
    invalid({ params: await params(world), query: { limit: 'ten' } }, '?limit'),
  'rejects `after` together with `offset`': async (world) =>
    invalid({ params: await params(world), query: { after: 1, offset: 1 } }, '?offset'),
});

/** One case for each path parameter, with a value that does not exist. */
export const missingParts = (params: ParamsOf, unknown: Record<string, string | number>, body?: object): Cases =>
  Object.fromEntries(
    Object.entries(unknown).map(([name, value]) => [
      `returns 404 for an unknown ${name}`,
      async (world: World) =>
        missing({ params: { ...(await params(world)), [name]: value }, ...(body !== undefined && { body }) }),
    ]),
  );
