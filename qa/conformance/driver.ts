/** Makes the calls of a scenario one after the other and checks each response against the specification. */
import { isDeepStrictEqual } from 'node:util';
import type { HttpResponse, Request, Send } from './exchange.ts';
import { keyOf, type Specification, type SpecifiedOperation } from './specification.ts';
import { at, fill, fillText, type Call, type Insert, type Saved, type Scalar, type Step, type Value } from './step.ts';
import { isObject, validate } from './validate.ts';

/** The observations of one operation during a scenario. */
export interface Observed {
  operation: SpecifiedOperation;
  responses: HttpResponse[];
  violations: string[];
  statuses: Set<number>;
  /** Body fields and query parameters of successful requests. */
  sent: Set<string>;
  empty: Set<string>;
  nonEmpty: Set<string>;
  /** Places that a step marks as always empty. */
  allowedEmpty: Set<string>;
}

export type Observations = ReadonlyMap<string, Observed>;

export interface World {
  specification: Specification;
  send: Send;
  /** Returns the row that the statement returns. */
  insert: (sql: string, values: Value[]) => Promise<Record<string, Value>>;
}

interface Run extends World {
  saved: Saved;
  observations: Observations;
}

export async function runScenario(world: World, steps: readonly Step[]): Promise<Observations> {
  const { operations } = world.specification;
  const observations = new Map(operations.map((operation) => [keyOf(operation), emptyObservation(operation)]));
  const run = { ...world, saved: new Map<string, Value>(), observations };
  for (const step of steps) await ('sql' in step ? runInsert(run, step) : runCall(run, step));
  return observations;
}

const emptyObservation = (operation: SpecifiedOperation): Observed => ({
  operation,
  responses: [],
  violations: [],
  statuses: new Set(),
  sent: new Set(),
  empty: new Set(),
  nonEmpty: new Set(),
  allowedEmpty: new Set(),
});

async function runInsert({ insert, saved }: Run, { sql, values, save = {} }: Insert): Promise<void> {
  const filled = values.map((value) => fill(value, saved));
  saveFrom(await insert(sql, filled), save, saved);
}

async function runCall(run: Run, call: Call): Promise<void> {
  const observed = run.observations.get(call.call);
  if (!observed) throw new Error(`${call.call} is not an operation of the specification`);
  try {
    const request = requestOf(observed.operation, call, run.saved);
    const response = await run.send(request);
    if (!checkResponse(run, observed, call, response)) return;
    saveFrom(response.body, call.save ?? {}, run.saved);
    if (request.method === 'GET' && observed.operation.x_fields) await checkFieldMask(run, observed, request, response);
  } catch (error) {
    observed.violations.push(error instanceof Error ? error.message : String(error));
  }
}

function requestOf({ method, path }: SpecifiedOperation, call: Call, saved: Saved): Request {
  const filled = (values: Record<string, Scalar> = {}) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fillText(value, saved)]));
  const body = call.body === undefined ? undefined : fill(call.body, saved);
  return { method, path, params: filled(call.params), query: filled(call.query), body, as: call.as ?? 'admin' };
}

function saveFrom(response: unknown, save: Record<string, string>, saved: Saved): void {
  for (const [name, place] of Object.entries(save)) saved.set(name, at(response, place) as Value);
}

/** Returns whether the call succeeded, so that its body can be used. */
function checkResponse({ specification }: Run, observed: Observed, call: Call, response: HttpResponse): boolean {
  const { operation, violations } = observed;
  const { status, contentType, body } = response;
  observed.responses.push(response);
  observed.statuses.add(status);
  if (status !== call.status)
    violations.push(`returned ${status}, not ${call.status}: ${JSON.stringify(body)?.slice(0, 300)}`);
  if (!operation.statuses.includes(status)) violations.push(`returned ${status}, which is not specified`);
  if (status !== call.status || status >= 300) return false;
  if (!contentType.startsWith('application/json')) violations.push(`returned ${contentType}, not application/json`);
  checkBody(specification, observed, call, body);
  return true;
}

function checkBody(specification: Specification, observed: Observed, call: Call, body: unknown): void {
  const { violations, empty, nonEmpty } = validate(specification, observed.operation.response, body, call.call);
  observed.violations.push(...violations);
  if (!isObject(body)) observed.violations.push('the response is not an object');
  for (const [place, value] of Object.entries(call.shows ?? {}))
    if (!isDeepStrictEqual(at(body, place), value))
      observed.violations.push(`${place} is ${JSON.stringify(at(body, place))}, not ${JSON.stringify(value)}`);
  for (const place of empty) observed.empty.add(place);
  for (const place of nonEmpty) observed.nonEmpty.add(place);
  for (const place of Object.keys(call.alwaysEmpty ?? {})) observed.allowedEmpty.add(place);
  const sent = isObject(call.body) ? call.body : {};
  for (const name of Object.keys({ ...call.query, ...sent })) observed.sent.add(name);
}

/** With X-Fields for one field, the same request must return only that field, with the same value. */
async function checkFieldMask(
  { send }: Run,
  { violations }: Observed,
  request: Request,
  { body }: HttpResponse,
): Promise<void> {
  const [field = ''] = Object.keys(Object(body));
  const masked = await send({ ...request, fields: `{${field}}` });
  if (masked.status !== 200 || !isDeepStrictEqual(masked.body, { [field]: at(body, field) }))
    violations.push(
      `with X-Fields {${field}} it returned ${masked.status} and ${JSON.stringify(masked.body)?.slice(0, 300)}`,
    );
}
