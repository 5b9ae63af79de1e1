/** Does the conformance run find a fault? Answers as they are specified are tampered with, one by one, and each fault must be named. */
import { describe, expect, it } from 'vitest';
import { findGaps } from './coverage.ts';
import { runScenario } from './driver.ts';
import type { Answer, Send } from './exchange.ts';
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

/** An answer of that shape. */
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

describe('an answer of each operation', () => {
  it('has no fault as it is specified', () => {
    const faults = samples.flatMap(({ key, shape, body }) => validate(specification, shape, body, key).faults);
    expect(samples).toHaveLength(78);
    expect(faults).toEqual([]);
  });

  it('has a fault without any one of its fields, or with one of another type', () => {
    const tampered = samples.flatMap(({ key, shape, body }) =>
      tamperings(resources, shape, body).map((change) => ({ ...change, key, shape })),
    );
    expect(tampered.length).toBeGreaterThan(500);
    const missed = tampered.filter(
      ({ key, shape, body }) => validate(specification, shape, body, key).faults.length === 0,
    );
    expect(missed.map(({ key, what }) => `${key}: ${what}`)).toEqual([]);
  });
});

const steps: Step[] = [
  { call: 'GET /cohorts/by-label/{label}', status: 200 },
  { call: 'PUT /cohorts/{id}', status: 200 },
  { call: 'POST /users', status: 201 },
  { call: 'DELETE /users/{id}', status: 200 },
  { call: 'GET /users', status: 200 },
];

/** Answers every call as it is specified. */
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

/** Changes what each of these operations answers, also if asked for some fields only. */
const changed =
  (changes: Record<string, (answer: Answer) => Answer>): Send =>
  async (request) => {
    const answer = await specified(request);
    return changes[keyOf(request)]?.(answer) ?? answer;
  };

const withBody = (change: (body: object) => object) => (answer: Answer) => ({
  ...answer,
  body: change(Object(answer.body)),
});

const without = (field: string) => (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));

const insert = () => Promise.reject(new Error('no step inserts anything'));

/** Faults of the answers, and lists that showed nothing. */
async function findingsOf(send: Send): Promise<string[]> {
  const observations = await runScenario({ specification, send, insert }, steps);
  const faults = [...observations].flatMap(([key, observed]) => observed.faults.map((fault) => `${key}: ${fault}`));
  const gaps = findGaps(observations, new Set(observations.keys()), specification.additions);
  return [...faults, ...gaps.filter((gap) => gap.endsWith('was always empty'))];
}

describe('a run', () => {
  it('finds nothing where every answer is as specified', async () => {
    expect(await findingsOf(specified)).toEqual([]);
  });

  it('names each fault of answers that are not', async () => {
    const tampered = changed({
      'GET /cohorts/by-label/{label}': withBody(without('description')),
      'PUT /cohorts/{id}': withBody((body) => ({ ...body, total: 1 })),
      'POST /users': (answer) => ({ ...answer, contentType: 'text/html' }),
      'DELETE /users/{id}': (answer) => ({ ...answer, status: 204 }),
      'GET /users': withBody(() => ({ users: [] })),
    });
    expect((await findingsOf(tampered)).toSorted()).toEqual([
      expect.stringMatching(/^DELETE \/users\/\{id\}: answered 204, not 200/),
      'DELETE /users/{id}: answered 204, which its row does not name',
      'GET /cohorts/by-label/{label}: description is missing',
      'GET /users: users was always empty',
      'POST /users: answered as text/html, not application/json',
      'PUT /cohorts/{id}: total is not specified',
    ]);
  });

  it('finds a field mask that is ignored', async () => {
    expect(await findingsOf(({ fields: _ignored, ...request }) => specified(request))).toContainEqual(
      expect.stringMatching(/^GET \/cohorts\/by-label\/\{label\}: with X-Fields \{\w+\} it answered 200 and /),
    );
  });
});

it('additions.json adds nothing to the elements of lists, nor an id to callbacks', () => {
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
