/** Each way in which a server can deviate from the specification is reported. */
import { describe, expect, it } from 'vitest';
import { checkOperation } from './check-operation.ts';
import { lineOf } from './deviations.ts';
import type { Reply, Send } from './http.ts';
import { missing, type Operation } from './operation.ts';
import type { Study } from './study.ts';

const operation: Operation = {
  operation: 'PUT /cohorts/{id}',
  request: { label: 'string', size: 'integer' },
  response: { id: 'integer', label: 'string', states: ['Ref'] },
  statuses: [200, 404],
  valid: () => ({ path: { id: 1 }, body: { label: 'Memory' } }),
  required: ['label'],
  values: { label: ['Memory', 'Größe'], size: [1, 2] },
  calls: [missing('cohort', { path: { id: 2 } })],
};

const problem = (status: number): Reply => ({
  status,
  contentType: 'application/problem+json',
  body: { type: 'about:blank', title: 'Error', status, detail: 'Error.', code: 'error' },
});

const full = (label: unknown) => ({ id: 1, label, states: [{ id: 1, label: 'arrived', uri: '/states/1' }] });

/** Follows the specification of the operation. */
const follow: Send = async (_operation, { path, body = {} } = {}, { mask, anonymous } = {}) => {
  if (anonymous) return problem(401);
  if (path?.['id'] !== 1) return problem(404);
  const isValid = typeof body['label'] === 'string' && Number.isInteger(body['size'] ?? 0);
  if (!isValid) return problem(400);
  return { status: 200, contentType: 'application/json; charset=utf-8', body: masked(full(body['label']), mask) };
};

function masked(body: ReturnType<typeof full>, mask: string | undefined): object {
  const [field, inner] = mask?.match(/\w+/g) ?? [];
  if (field === undefined) return body;
  return { [field]: inner === undefined ? body[field as 'id'] : body.states.map(({ id }) => ({ id })) };
}

const linesOf = async (send: Send, changes: Partial<Operation> = {}): Promise<string[]> => {
  const deviations = await checkOperation({ ...operation, ...changes }, { send } as Study);
  return deviations.map(lineOf).map((line) => line.replace('PUT /cohorts/{id} ', ''));
};

const unspecified = [
  '({"body":{"label":17}}): status 400 is not specified',
  '(no credentials): status 401 is not specified',
];

/** Changes the successful responses. */
const changed =
  (change: (reply: Reply, mask: string | undefined) => Reply): Send =>
  async (name, request, options = {}) => {
    const reply = await follow(name, request, options);
    return reply.status === 200 ? change(reply, options.mask) : reply;
  };

/** Accepts any size but 2. */
const checkSizesWrongly: Send = async (name, request = {}, options = {}) => {
  const { size, ...body } = request.body ?? {};
  return size === 2 ? problem(400) : follow(name, { ...request, body }, options);
};

const rejectNull: Send = async (name, request, options) =>
  request?.body?.['size'] === null ? problem(400) : follow(name, request, options);

describe('checkOperation', () => {
  it('reports only unspecified statuses if the server follows the specification', async () => {
    expect(await linesOf(follow)).toEqual(unspecified);
    expect(await linesOf(follow, { statuses: [200, 400, 401, 404] })).toEqual([]);
  });

  it.each<[string, (reply: Reply, mask: string | undefined) => Reply, string]>([
    ['a wrong status', (reply) => ({ ...reply, status: 204 }), '(valid request): status is 204, not 200: '],
    [
      'a wrong content type',
      (reply) => ({ ...reply, contentType: 'text/html' }),
      '(valid request): the content type is text/html, not application/json',
    ],
    [
      'another field',
      (reply) => ({ ...reply, body: { ...Object(reply.body), size: 1 } }),
      '(valid request): response.size is not specified',
    ],
    [
      'a value that was not stored',
      (reply, mask) => (mask === undefined ? { ...reply, body: full('Memory') } : reply),
      '(label is "Größe"): label is "Memory", not "Größe" as requested',
    ],
    [
      'an ignored field mask',
      (reply, mask) => (mask === undefined ? reply : { ...reply, body: full('Memory') }),
      '(X-Fields: {id}): response.label is not specified',
    ],
    [
      'an array that was always empty',
      (reply, mask) => (mask === undefined || mask.includes('states') ? { ...reply, body: { states: [] } } : reply),
      '(all requests): states[] never had a value',
    ],
  ])('reports %s', async (_what, change, line) => {
    expect(await linesOf(changed(change))).toContainEqual(expect.stringContaining(line));
  });

  it('reports a rejected valid value and an accepted wrong one', async () => {
    const lines = await linesOf(checkSizesWrongly);
    expect(lines).toContainEqual(expect.stringContaining('(size is 2): status is 400, not 200'));
    expect(lines).toContainEqual(expect.stringContaining('({"body":{"size":"17"}}): status is 200, not 400'));
  });

  it('reports a server that does not treat null as absent in POST', async () => {
    const post = { operation: 'POST /cohorts/{id}' };
    expect(await linesOf(rejectNull, post)).toContainEqual(
      expect.stringContaining('(size is null): status is 400, not 200'),
    );
    expect(await linesOf(rejectNull)).toEqual(unspecified);
  });

  it('reports a specified status that was not reached, and a wrong mark', async () => {
    expect(await linesOf(follow, { statuses: [200, 201, 404] })).toContain(
      '(all requests): status 201 was not reached',
    );
    expect(await linesOf(follow, { unreachable: { 200: '0004' } })).toContain(
      '(all requests): status 200 is marked as unreachable, but was returned',
    );
    expect(await linesOf(follow, { alwaysEmpty: ['states[]'] })).toContain(
      '(all requests): states[] is marked as always empty, but was not',
    );
  });
});
