/** Sends each field of a request with its valid values, with wrong types, and not at all. */
import { change, exchange, type Check } from './check.ts';
import { short, typeOf } from './compare.ts';
import type { Request } from './http.ts';

const wrongValues: Record<string, readonly unknown[]> = {
  string: [17, true, ['text'], { text: 'text' }],
  integer: ['17', 1.5, true, [17], { number: 17 }],
  boolean: ['true', 1, [true], { boolean: true }],
  object: ['text', 17, true, ['text']],
};
const wrongIntegers = ['x', '1.5', '-1', ''];
const wrongIds = ['x', '0', '-1', '1.5', '9007199254740993'];

export async function checkRequests(check: Check): Promise<void> {
  const { request = {}, query = {}, required = [] } = check.operation;
  await checkValues(check);
  for (const name of Object.keys(request)) {
    await checkWrongValues(check, name);
    await (required.includes(name) ? checkMissing(check, name) : checkAbsent(check, name));
    if (isOptionalInPost(check, name)) await expectSuccess(check, { body: { [name]: null } }, `${name} is null`);
  }
  for (const [name, type] of Object.entries(query)) if (type === 'integer') await checkWrongIntegers(check, name);
  if (check.operation.operation.includes('{id}')) await checkWrongIds(check);
  await checkContentTypes(check);
}

async function checkValues(check: Check): Promise<void> {
  for (const [name, values] of Object.entries(check.operation.values ?? {}))
    for (const value of values) {
      const sent: unknown = typeof value === 'function' ? await value(check.study) : value;
      await expectSuccess(check, partOf(check, name, sent), `${name} is ${short(sent)}`);
    }
}

/** The same body in the two ways in which clients declare JSON. Clients also declare it for an empty body. */
async function checkContentTypes(check: Check): Promise<void> {
  if (check.operation.operation.startsWith('GET ')) return;
  for (const contentType of ['application/json', 'application/json; charset=utf-8']) {
    const valid = await check.valid();
    await exchange(check, valid, { status: valid.status ?? 200, when: contentType }, { contentType });
  }
}

/** Puts the value where the specification has the name. */
function partOf({ operation: { operation, query = {} } }: Check, name: string, value: unknown): Request {
  if (operation.includes(`{${name}}`)) return { path: { [name]: value as string } };
  return name in query ? { query: { [name]: value as string } } : { body: { [name]: value } };
}

async function checkWrongValues(check: Check, name: string): Promise<void> {
  const { request = {}, alsoTakes = {} } = check.operation;
  for (const value of wrongValues[request[name] ?? ''] ?? [])
    if (typeOf(value) !== alsoTakes[name]) await expectRefusal(check, { body: { [name]: value } }, 400);
}

async function checkMissing(check: Check, name: string): Promise<void> {
  const valid = await check.valid();
  const { [name]: _left, ...body } = valid.body ?? {};
  await exchange(check, { ...valid, body }, { status: 400, when: `without ${name}` });
}

async function checkAbsent(check: Check, name: string): Promise<void> {
  const valid = await check.valid();
  const { [name]: _left, ...body } = valid.body ?? {};
  await exchange(check, { ...valid, body }, { status: valid.status ?? 200, when: `without ${name}` });
}

/** Null for such a field means absent (decision 0004). */
const isOptionalInPost = ({ operation: { operation, required = [] } }: Check, name: string) =>
  operation.startsWith('POST ') && !required.includes(name);

async function checkWrongIntegers(check: Check, name: string): Promise<void> {
  for (const value of wrongIntegers) await expectRefusal(check, { query: { [name]: value } }, 400);
}

/** Text that is not an id is the id of nothing. */
async function checkWrongIds(check: Check): Promise<void> {
  for (const id of wrongIds) await expectRefusal(check, { path: { id } }, 404);
}

async function expectSuccess(check: Check, changes: Request, when: string): Promise<void> {
  const valid = await check.valid();
  await exchange(check, change(valid, changes), { status: valid.status ?? 200, when });
}

async function expectRefusal(check: Check, changes: Request, status: number): Promise<void> {
  await exchange(check, change(await check.valid(), changes), { status, when: short(changes) });
}
