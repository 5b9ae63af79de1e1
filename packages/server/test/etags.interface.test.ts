/**
 * ETag and If-Match for every operation that returns or compares a version, generated from the list of operations.
 *
 * @module-tag sql
 */
import { operations, type Operation, type OperationName } from '@milepost/api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wholeMatrix as matrix } from '../testing/cases/whole-matrix.ts';
import { None, type Expectation } from '../testing/cases/matrix.ts';
import { createWorld, type World } from '../testing/cases/world.ts';
import { seed } from '../../api/testing/seed.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer();
  world = createWorld(server);
});
afterAll(() => server.stop());

const names = Object.keys(matrix) as OperationName[];
const operation = (name: OperationName): Operation => operations[name];
const having = (version: Operation['version']) => names.filter((name) => operation(name).version === version);

async function successOf(name: OperationName): Promise<Expectation> {
  const cell = matrix[name]?.success;
  const prepare = cell === undefined || cell instanceof None ? undefined : Object.values(cell)[0];
  if (!prepare) throw new Error(`${name} has no request that succeeds`);
  return prepare(world);
}

const send = (name: OperationName, { request }: Expectation, ifMatch?: string) =>
  server.call(name, {
    ...request,
    ...(ifMatch !== undefined && { headers: { ...request.headers, 'if-match': ifMatch } }),
  });

describe('the ETag header', () => {
  it.each([...having('shown'), ...having('checked')])('is in the response of %s', async (name) => {
    const expected = await successOf(name);
    const { status, headers } = await send(name, expected);
    expect(status).toBe(expected.status);
    expect(headers.get('etag')).toMatch(/^"[1-9]\d*"$/);
  });

  it.each(having(undefined))(
    'is not in the response of %s, which does not return exactly one resource',
    async (name) => {
      const { headers } = await send(name, await successOf(name));
      expect(headers.get('etag')).toBeNull();
    },
  );

  it('is the same for every field mask and every view of the resource', async () => {
    const { id, label } = await world.cohort();
    const answers = await Promise.all([
      server.call('getCohort', { params: { id } }),
      server.call('getCohort', { params: { id }, fields: '{label}' }),
      server.call('getCohortByLabel', { params: { label } }),
      server.call('getCohortExternalUrls', { params: { id } }),
    ]);
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
  });

  it('of a cohort does not change when a subject is added', async () => {
    const { id, label } = await world.cohort();
    const read = async () => (await server.call('getCohort', { params: { id } })).headers.get('etag');
    const before = await read();
    await server.call('createSubject', { body: { label: 'one more', cohort_label: label } });
    expect(await read()).toBe(before);
  });
});

const historyCount = async () => (await server.sql('select count(*) from history'))[0];

describe('the If-Match header', () => {
  it.each(having('checked'))(
    'causes %s to return 412 if the version differs, but not if the header is *',
    async (name) => {
      const expected = await successOf(name);
      const before = await historyCount();
      expect(await send(name, expected, '"0"')).toMatchObject({ status: 412, body: { code: 'version_changed' } });
      expect(await send(name, expected, '"0", "9999999"')).toMatchObject({ status: 412 });
      expect(await historyCount(), 'nothing was changed').toEqual(before);
      expect((await send(name, expected, '*')).status).toBe(expected.status);
    },
  );

  const writes = names.filter((name) => operation(name).method !== 'GET' && operation(name).version !== 'checked');
  it.each(writes)('is rejected by %s, which compares no version', async (name) => {
    const expected = await successOf(name);
    expect(await send(name, expected, '"1"')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: 'If-Match' }] },
    });
  });

  it.each(['3', 'W/"3"', '"three"', '', '"1" "2"'])('is rejected if it is %j', async (ifMatch) => {
    const { id } = await world.cohort();
    const answer = await server.call('updateCohort', {
      params: { id },
      body: { description: 'x' },
      headers: { 'if-match': ifMatch },
    });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: 'If-Match' }] } });
  });
});

/** How each kind of resource is read and changed by a client that knows a version. */
const editable = [
  {
    name: 'a cohort',
    make: async () => (await world.cohort()).id,
    read: (id: number) => server.call('getCohort', { params: { id } }),
    change: (id: number, text: string, headers: Record<string, string>) =>
      server.call('updateCohort', { params: { id }, body: { description: text }, headers }),
  },
  {
    name: 'an experiment with a variable',
    make: async () => (await world.experiment()).id,
    read: (id: number) => server.call('getExperiment', { params: { id } }),
    change: (id: number, text: string, headers: Record<string, string>) =>
      server.call('setExperimentVariable', { params: { id, name: 'note' }, body: { value: text }, headers }),
  },
  {
    name: 'a user',
    make: async () => (await world.user()).id,
    read: (id: number) => server.call('getUser', { params: { id } }),
    change: (id: number, text: string, headers: Record<string, string>) =>
      server.call('updateUser', { params: { id }, body: { name: text }, headers }),
  },
];

describe.each(editable)('$name', ({ make, read, change }) => {
  it('accepts only one change per version from concurrent requests', async () => {
    const order = fc.array(fc.record({ stale: fc.nat(2), together: fc.boolean() }), { minLength: 3, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(order, async (steps) => {
        const id = await make();
        const seen: string[] = [];
        let changes = 0;
        for (const [place, { stale, together }] of steps.entries()) {
          seen.push((await read(id)).headers.get('etag') ?? '');
          const tag = seen.at(-1 - Math.min(stale, seen.length - 1)) ?? '';
          const writers = Array.from({ length: together ? 4 : 1 }, (_, n) =>
            change(id, `${place}.${n}`, { 'if-match': tag }),
          );
          const statuses = (await Promise.all(writers)).map(({ status }) => status);
          const done = statuses.filter((status) => status === 200).length;
          expect(statuses.every((status) => status === 200 || status === 412)).toBe(true);
          expect(done, 'a version is followed by one change').toBe(tag === seen.at(-1) ? 1 : 0);
          changes += done;
        }
        const last = (await read(id)).headers.get('etag') ?? '';
        expect(Number(last.slice(1, -1)) - Number(seen[0]?.slice(1, -1))).toBe(changes);
      }),
      { numRuns: 4, seed },
    );
  });
});
