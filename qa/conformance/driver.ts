/** Makes the calls of a scenario one after the other, and holds each answer against the specification. */
import { isDeepStrictEqual } from 'node:util';
import type { Answer, Request, Send } from './exchange.ts';
import { keyOf, type Specification, type SpecifiedOperation } from './specification.ts';
import { at, fill, fillText, type Call, type Insert, type Saved, type Scalar, type Step, type Value } from './step.ts';
import { isObject, validate } from './validate.ts';

/** What a scenario saw of one operation. */
export interface Observed {
  operation: SpecifiedOperation;
  answers: Answer[];
  faults: string[];
  statuses: Set<number>;
  /** Body fields and query parameters of requests that succeeded. */
  sent: Set<string>;
  hollow: Set<string>;
  full: Set<string>;
  /** Hollow places that a step says are right. */
  excused: Set<string>;
}

export type Observations = ReadonlyMap<string, Observed>;

export interface World {
  specification: Specification;
  send: Send;
  /** Answers the row that the statement returns. */
  insert: (sql: string, values: Value[]) => Promise<Record<string, Value>>;
}

interface Run extends World {
  saved: Saved;
  observations: Observations;
}

export async function runScenario(world: World, steps: readonly Step[]): Promise<Observations> {
  const { operations } = world.specification;
  const observations = new Map(operations.map((operation) => [keyOf(operation), nothingOf(operation)]));
  const run = { ...world, saved: new Map<string, Value>(), observations };
  for (const step of steps) await ('sql' in step ? runInsert(run, step) : runCall(run, step));
  return observations;
}

const nothingOf = (operation: SpecifiedOperation): Observed => ({
  operation,
  answers: [],
  faults: [],
  statuses: new Set(),
  sent: new Set(),
  hollow: new Set(),
  full: new Set(),
  excused: new Set(),
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
    const answer = await run.send(request);
    if (!judge(run, observed, call, answer)) return;
    saveFrom(answer.body, call.save ?? {}, run.saved);
    if (request.method === 'GET' && observed.operation.x_fields) await judgeMasked(run, observed, request, answer);
  } catch (error) {
    observed.faults.push(error instanceof Error ? error.message : String(error));
  }
}

function requestOf({ method, path }: SpecifiedOperation, call: Call, saved: Saved): Request {
  const filled = (values: Record<string, Scalar> = {}) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fillText(value, saved)]));
  const body = call.body === undefined ? undefined : fill(call.body, saved);
  return { method, path, params: filled(call.params), query: filled(call.query), body, as: call.as ?? 'admin' };
}

function saveFrom(answer: unknown, save: Record<string, string>, saved: Saved): void {
  for (const [name, place] of Object.entries(save)) saved.set(name, at(answer, place) as Value);
}

/** Answers whether it was a success whose body can be read on. */
function judge({ specification }: Run, observed: Observed, call: Call, answer: Answer): boolean {
  const { operation, faults } = observed;
  const { status, contentType, body } = answer;
  observed.answers.push(answer);
  observed.statuses.add(status);
  if (status !== call.status)
    faults.push(`answered ${status}, not ${call.status}: ${JSON.stringify(body)?.slice(0, 300)}`);
  if (!operation.statuses.includes(status)) faults.push(`answered ${status}, which its row does not name`);
  if (status !== call.status || status >= 300) return false;
  if (!contentType.startsWith('application/json')) faults.push(`answered as ${contentType}, not application/json`);
  judgeBody(specification, observed, call, body);
  return true;
}

function judgeBody(specification: Specification, observed: Observed, call: Call, body: unknown): void {
  const { faults, hollow, full } = validate(specification, observed.operation.response, body, call.call);
  observed.faults.push(...faults);
  if (!isObject(body)) observed.faults.push('the answer is not an object');
  for (const [place, value] of Object.entries(call.shows ?? {}))
    if (!isDeepStrictEqual(at(body, place), value))
      observed.faults.push(`${place} is ${JSON.stringify(at(body, place))}, not ${JSON.stringify(value)}`);
  for (const place of hollow) observed.hollow.add(place);
  for (const place of full) observed.full.add(place);
  for (const place of Object.keys(call.hollow ?? {})) observed.excused.add(place);
  const sent = isObject(call.body) ? call.body : {};
  for (const name of Object.keys({ ...call.query, ...sent })) observed.sent.add(name);
}

/** The header X-Fields is accepted: asked for one field, the same request answers that field as before, and only that. */
async function judgeMasked({ send }: Run, { faults }: Observed, request: Request, { body }: Answer): Promise<void> {
  const [field = ''] = Object.keys(Object(body));
  const masked = await send({ ...request, fields: `{${field}}` });
  if (masked.status !== 200 || !isDeepStrictEqual(masked.body, { [field]: at(body, field) }))
    faults.push(
      `with X-Fields {${field}} it answered ${masked.status} and ${JSON.stringify(masked.body)?.slice(0, 300)}`,
    );
}
