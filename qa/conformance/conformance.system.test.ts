/** A test of the conformance run: it passes on the real server, and fails when answers are tampered with on their way. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../packages/server/testing/postgres.ts';
import type { ServerProcess } from '../../packages/server/testing/server-process.ts';
import { runConformance, type Target } from './conformance.ts';
import type { Observations } from './driver.ts';
import type { Answer, Send } from './exchange.ts';
import { keyOf, readSpecification, type Shape } from './specification.ts';
import { startOn } from './start.ts';
import { tamperings } from './tamperings.ts';
import { validate } from './validate.ts';

const specification = readSpecification();

async function onFreshServer<T>(use: (target: Target) => Promise<T>): Promise<T> {
  const database: TestDatabase = await createTestDatabase();
  let server: ServerProcess | undefined;
  try {
    const started = await startOn(database);
    server = started.server;
    return await use(started.target);
  } finally {
    await server?.stop();
    await database.drop();
  }
}

/** Changes what a successful call of one operation answers. */
const tampering =
  (operation: string, change: (answer: Answer) => Answer) =>
  (send: Send): Send =>
  async (request) => {
    const answer = await send(request);
    return keyOf(request) === operation && answer.status < 300 ? change(answer) : answer;
  };

const withBody = (change: (body: object) => unknown) => (answer: Answer) => ({
  ...answer,
  body: change(Object(answer.body)),
});

const without = (field: string) => (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));

const through = (send: Send): Send =>
  [
    tampering('GET /cohorts/by-label/{label}', withBody(without('description'))),
    tampering(
      'PUT /cohorts/{id}',
      withBody((body) => ({ ...body, total: 1 })),
    ),
    tampering(
      'GET /users',
      withBody(() => ({ users: [] })),
    ),
    tampering('POST /users', (answer) => ({ ...answer, contentType: 'text/html' })),
    tampering('DELETE /users/{id}', (answer) => ({ ...answer, status: 204 })),
  ].reduce((sending, tamper) => tamper(sending), send);

const resource = (name: string): object => Object(specification.resources[name]);
const namesOf = (value: unknown): string => Object.keys(Object(value)).toSorted().join(' ');

/** What the elements of a list are; undefined where the answer is none. */
function elementOf(response: Shape): object | undefined {
  const [only, ...others] = typeof response === 'string' ? [] : Object.values(response);
  if (!Array.isArray(only) || others.length > 0) return undefined;
  const [element] = only;
  return typeof element === 'string' ? resource(element) : element;
}

const goodAnswers = (observations: Observations, key: string) =>
  (observations.get(key)?.answers ?? [])
    .filter(({ status }) => status < 300)
    .map(({ body }) => body as Record<string, unknown>);

describe('a run against the real server', () => {
  let observations: Observations;
  let lines: string[];
  beforeAll(async () => {
    const report = await onFreshServer(runConformance);
    ({ observations, lines } = report);
  });

  it('finds every operation as specified', () => {
    expect(lines.filter((line) => line.startsWith('FAULT'))).toEqual([]);
    expect(lines.at(-1)).toMatch(/^operations: 78 of 78, statuses: (\d+) of \1$/);
  });

  it('adds nothing to the elements of any list', () => {
    const lists = specification.operations.flatMap((operation) => {
      const element = elementOf(operation.response);
      return element === undefined ? [] : [[keyOf(operation), [namesOf(element)]]];
    });
    const seen = lists.map(([key]) => {
      const elements = goodAnswers(observations, String(key)).flatMap((body) => Object.values(body).flat());
      return [key, [...new Set(elements.map(namesOf))]];
    });
    expect(lists).toHaveLength(20);
    expect(seen).toEqual(lists);
  });

  it('shows a callback without its id, as it is specified', () => {
    const shown = ['GET /callbacks/{id}', 'PUT /callbacks/{id}'].flatMap((key) => goodAnswers(observations, key));
    expect(new Set(shown.map(namesOf))).toEqual(new Set([namesOf(resource('Callback'))]));
  });

  it.each(['Action', 'Callback', 'Cohort', 'Experiment', 'Subject'])(
    'shows an execution with all of its %s',
    (name) => {
      const shown = ['GET /callback_executions/{id}', 'PUT /callback_executions/{id}'].flatMap((key) =>
        goodAnswers(observations, key),
      );
      const added = { Action: { retry_of: 'object' }, Subject: { withdrawn: 'object' } }[name] ?? {};
      const inside = new Set(shown.map((execution) => namesOf(execution[name.toLowerCase()])));
      expect(inside).toEqual(new Set([namesOf({ ...resource(name), ...added })]));
    },
  );

  it('would report any field that were missing from any of its answers or of another type', () => {
    const good = [...observations].flatMap(([key, { operation, answers }]) =>
      answers.filter(({ status }) => status < 300).map(({ body }) => ({ key, shape: operation.response, body })),
    );
    const changed = good.flatMap(({ key, shape, body }) =>
      tamperings(specification.resources, shape, body).map((tampered) => ({ key, shape, ...tampered })),
    );
    expect(changed.length).toBeGreaterThan(500);
    const missed = changed.filter(
      ({ key, shape, body }) => validate(specification, shape, body, key).faults.length === 0,
    );
    expect(missed.map(({ key, what }) => `${key}: ${what}`)).toEqual([]);
  });
});

describe('a run against a server whose answers are tampered with', () => {
  it('fails, and names each fault', async () => {
    const { lines, passed } = await onFreshServer((target) => runConformance({ ...target, through }));
    expect(passed).toBe(false);
    expect(lines.filter((line) => line.startsWith('FAULT'))).toEqual([
      'FAULT GET /cohorts/by-label/{label}: description is missing',
      'FAULT PUT /cohorts/{id}: total is not specified',
      'FAULT POST /users: answered as text/html, not application/json',
      expect.stringMatching(/^FAULT DELETE \/users\/\{id\}: answered 204, not 200/),
      'FAULT DELETE /users/{id}: answered 204, which its row does not name',
      'FAULT GET /users: users was always empty',
      'FAULT DELETE /users/{id}: 200 was never seen',
    ]);
    expect(lines.at(-1)).toMatch(/^operations: 73 of 78, statuses: \d+ of \d+$/);
  });
});
