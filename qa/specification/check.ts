/** Sends the requests of one operation and compares the responses with the specification. */
import { at, compare, compareValues, fieldsOf, short, typeOf, type Found } from './compare.ts';
import type { Options, Reply, Request } from './http.ts';
import type { Operation, Valid } from './operation.ts';
import type { Shape } from './resources.ts';
import type { Study } from './study.ts';

export interface Check {
  operation: Operation;
  study: Study;
  /** Returns a valid request: the same for an operation that only reads, else a new one. */
  valid: () => Promise<Valid>;
  /** Each deviation, and when it first occurred. */
  deviations: Map<string, string>;
  /** Places of the response that had a value. */
  places: Set<string>;
  /** Statuses that were returned as expected. */
  statuses: Set<number>;
}

export interface Expected {
  status: number;
  when: string;
  /** Default: the response of the operation if the request succeeds, else a problem. */
  response?: Shape | undefined;
  /** The name of the response in deviations. */
  name?: string;
  shows?: Record<string, unknown> | undefined;
}

export function startCheck(operation: Operation, study: Study): Check {
  const make = async () => operation.valid(study);
  const once = operation.operation.startsWith('GET ') ? make() : undefined;
  return {
    operation,
    study,
    valid: () => once ?? make(),
    deviations: new Map(),
    places: new Set(),
    statuses: new Set(),
  };
}

export async function exchange(
  check: Check,
  request: Request,
  expected: Expected,
  options: Options = {},
): Promise<void> {
  const reply = await check.study.send(check.operation.operation, request, options);
  const found: Found = { deviations: new Set(), places: check.places };
  if (reply.status === expected.status) compareReply(check.operation, request, expected, reply, found);
  else found.deviations.add(`status is ${reply.status}, not ${expected.status}: ${short(reply.body)}`);
  if (reply.status === expected.status) check.statuses.add(reply.status);
  for (const deviation of found.deviations)
    if (!check.deviations.has(deviation)) check.deviations.set(deviation, expected.when);
}

function compareReply(operation: Operation, request: Request, expected: Expected, reply: Reply, found: Found): void {
  const { status } = reply;
  if (!operation.statuses.includes(status)) found.deviations.add(`status ${status} is not specified`);
  const shape = expected.response ?? (status < 300 ? operation.response : undefined);
  if (shape === undefined) return compareProblem(found, reply);
  compareType(found, reply, 'application/json');
  compare(found, shape, reply.body, { name: expected.name ?? 'response', path: '' });
  const sent = shape === operation.response && status < 300 ? sentValues(operation, request) : {};
  compareValues(found, reply.body, { ...sent, ...expected.shows });
}

/** The specification does not show the bodies of errors. Decision 0011 does. */
function compareProblem(found: Found, reply: Reply): void {
  compareType(found, reply, 'application/problem+json');
  compareValues(found, reply.body, { status: reply.status });
  for (const field of ['type', 'title', 'detail', 'code'])
    if (typeof at(reply.body, field) !== 'string') found.deviations.add(`problem.${field} is not string`);
}

function compareType({ deviations }: Found, { contentType }: Reply, type: string): void {
  if (contentType.split(';')[0] !== type) deviations.add(`the content type is ${contentType}, not ${type}`);
}

/** The values that were sent, by their place in the response. */
function sentValues({ response, shownAs = {} }: Operation, { path, body }: Request): Record<string, unknown> {
  const { fields } = fieldsOf(response);
  const places = Object.entries({ ...path, ...body })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [shownAs[name] ?? (fields[name] === typeOf(value) ? name : ''), value] as const);
  return Object.fromEntries(places.filter(([place]) => place !== ''));
}

/** The valid request with some parts changed. */
export const change = (valid: Request, changes: Request): Request => ({
  ...valid,
  ...changes,
  path: { ...valid.path, ...changes.path },
  query: { ...valid.query, ...changes.query },
  ...((valid.body || changes.body) && { body: { ...valid.body, ...changes.body } }),
});
