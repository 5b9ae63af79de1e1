/** Tampers with specified responses, one field at a time, and checks that the conformance run reports each violation. */
import { describe, expect, it } from 'vitest';
import { findGaps } from './coverage.ts';
import { runScenario } from './driver.ts';
import type { HttpResponse, Send } from './exchange.ts';
import { keyOf, readSpecification, type Shape } from './specification.ts';
import type { Step } from './step.ts';
import { tamperings } from './tamperings.ts';
import { validate } from './validate.ts';

const specification = readSpecification();
const { resources, operations } = specification;

const primitives: Record<string, unknown> = {
  integer: 1,
  string: 'text',
  boolean: true,
  object: { name: 'value' },
  unknown: {},
};

/** A response of the given shape. */
function sampleOf(shape: Shape): unknown {
  if (Array.isArray(shape)) return shape.map(sampleOf);
  if (typeof shape !== 'string') {
    return Object.fromEntries(Object.entries(shape).map(([field, inner]) => [field, sampleOf(inner)]));
  }
  const resource = resources[shape];
  return resource === undefined ? primitives[shape] : sampleOf(resource);
}

const samples = operations.map((operation) => ({
  key: keyOf(operation),
  shape: operation.response,
  body: sampleOf(operation.response),
}));

describe('the validation of all operations', () => {
  it('accepts responses that match the specification', () => {
    const violations = samples.flatMap(({ key, shape, body }) => validate(specification, shape, body, key).violations);
    expect(samples).toHaveLength(78);
    expect(violations).toEqual([]);
  });

  it('reports each missing field and each field of the wrong type', () => {
    const tampered = samples.flatMap(({ key, shape, body }) =>
      tamperings(resources, shape, body).map((change) => ({ ...change, key, shape })),
    );
    expect(tampered.length).toBeGreaterThan(500);
    const missed = tampered.filter(
      ({ key, shape, body }) => validate(specification, shape, body, key).violations.length === 0,
    );
    // A state change that succeeded has no error.
    expect(missed.map(({ key, what }) => `${key}: ${what}`)).toEqual(['PUT /experiments/{id}/state: .error removed']);
  });
});

const steps: Step[] = [
  { call: 'GET /cohorts/by-label/{label}', status: 200 },
  { call: 'PUT /cohorts/{id}', status: 200 },
  { call: 'POST /users', status: 201 },
  { call: 'DELETE /users/{id}', status: 200 },
  { call: 'GET /users', status: 200 },
];

/** Returns a specified response to every call. */
const specified: Send = async (request) => {
  const key = keyOf(request);
  const body = Object(samples.find((sample) => sample.key === key)?.body);
  const wanted = request.fields?.slice(1, -1);
  return {
    status: key === 'POST /users' ? 201 : 200,
    contentType: 'application/json; charset=utf-8',
    body: wanted === undefined ? body : { [wanted]: body[wanted] },
  };
};

/** Changes the responses of the given operations, with or without a field mask. */
const changed =
  (changes: Record<string, (response: HttpResponse) => HttpResponse>): Send =>
  async (request) => {
    const response = await specified(request);
    return changes[keyOf(request)]?.(response) ?? response;
  };

const withBody = (change: (body: object) => object) => (response: HttpResponse) => ({
  ...response,
  body: change(Object(response.body)),
});

const without = (field: string) => (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));

const insert = () => Promise.reject(new Error('no step inserts anything'));

/** All violations, and lists that were always empty. */
async function findingsOf(send: Send): Promise<string[]> {
  const observations = await runScenario({ specification, send, insert }, steps);
  const violations = [...observations].flatMap(([key, observed]) =>
    observed.violations.map((violation) => `${key}: ${violation}`),
  );
  const mounted = new Map([...observations].map(([key, { operation }]) => [key, operation.section]));
  const gaps = findGaps(observations, mounted, specification.additions);
  return [...violations, ...gaps.filter((gap) => gap.endsWith('was always empty'))];
}

describe('runScenario', () => {
  it('reports nothing if all responses match the specification', async () => {
    expect(await findingsOf(specified)).toEqual([]);
  });

  it('reports each violation', async () => {
    const tampered = changed({
      'GET /cohorts/by-label/{label}': withBody(without('description')),
      'PUT /cohorts/{id}': withBody((body) => ({ ...body, total: 1 })),
      'POST /users': (response) => ({ ...response, contentType: 'text/html' }),
      'DELETE /users/{id}': (response) => ({ ...response, status: 204 }),
      'GET /users': withBody(() => ({ users: [] })),
    });
    expect((await findingsOf(tampered)).toSorted()).toEqual([
      expect.stringMatching(/^DELETE \/users\/\{id\}: returned 204, not 200/),
      'DELETE /users/{id}: returned 204, which is not specified',
      'GET /cohorts/by-label/{label}: description is missing',
      'GET /users: users was always empty',
      'POST /users: returned text/html, not application/json',
      'PUT /cohorts/{id}: total is not specified',
    ]);
  });

  it('reports an ignored field mask', async () => {
    expect(await findingsOf(({ fields: _ignored, ...request }) => specified(request))).toContainEqual(
      expect.stringMatching(/^GET \/cohorts\/by-label\/\{label\}: with X-Fields \{\w+\} it returned 200 and /),
    );
  });
});

it('additions.json adds no fields to list elements and no id to callbacks', () => {
  const lists = operations.flatMap(({ response }) => {
    const [only, ...others] = typeof response === 'string' ? [] : Object.values(response);
    return Array.isArray(only) && others.length === 0 ? only : [];
  });
  expect(lists).toHaveLength(20);
  const elements = lists.filter((element) => typeof element === 'string');
  const added = [...specification.additions].filter(
    (addition) => addition === 'Callback.id' || elements.some((element) => addition.startsWith(`${element}.`)),
  );
  expect(added).toEqual([]);
});
