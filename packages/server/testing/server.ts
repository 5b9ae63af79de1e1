/**
 * The application with a database, called over HTTP. `call` checks every response against the table of operations: its status
 * must be documented and its body must match the schema.
 */
import {
  basic,
  calendarDate,
  dateTime,
  type Operation,
  type OperationName,
  operations,
  Problem,
  readLines,
  readMessages,
  responsesOf,
  scanDate,
} from '@milepost/api';
import { Ajv } from 'ajv';
import { Pool, type Client } from 'pg';
import type { DestinationStream } from 'pino';
import { expect } from 'vitest';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { openDatabase, type Timeouts } from '../src/database/connection.ts';
import { inTransaction } from '../src/database/transaction.ts';
import { createUser } from '../src/engine/people/create-user.ts';
import { createLogger } from '../src/http/log.ts';
import { createPasswords } from '../src/passwords.ts';
import { insertRole } from '../src/store/people/roles.ts';
import type { Tracing } from '../src/tracing/span.ts';
import { patientSeconds } from './open-database.ts';
import { createTestDatabase, withClient } from './test-database.ts';
import type { Rows } from './postgres-server.ts';

export interface Parts {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean>;
  body?: unknown;
  fields?: string;
  headers?: Record<string, string>;
  /** The username of the caller, or null for an anonymous one. The default is the administrator. */
  as?: string | null;
}

export interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of every shape
  body: any;
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

export interface TestServerOptions {
  settings?: Record<string, string>;
  logTo?: DestinationStream;
  /** Overrides the long timeouts of tests. */
  timeouts?: Partial<Timeouts>;
  rows?: Rows;
  tracing?: Tracing;
}

export const testPassword = 'correct horse battery staple';

export async function startTestServer(options: TestServerOptions = {}) {
  const testDatabase = await createTestDatabase({ ...(options.rows && { rows: options.rows }) });
  const config = readConfig({
    DATABASE_URL: testDatabase.databaseUrl,
    MILEPOST_LOG_LEVEL: options.logTo ? 'info' : 'fatal',
    MILEPOST_PUBLIC_URL: 'https://milepost.example.org',
    // The server only checks that a mail server is set. Workers send the mail.
    MILEPOST_SMTP_URL: 'smtp://127.0.0.1:25',
    MILEPOST_MAIL_FROM: 'milepost@example.org',
    MILEPOST_STATEMENT_SECONDS: String(patientSeconds),
    ...options.settings,
  });
  const database = openDatabase({ ...config, timeouts: options.timeouts ?? {}, onError: () => undefined });
  const { http, metrics, passwords, conditions } = buildApp(
    config,
    database,
    createLogger(config, options.logTo),
    options.tracing,
  );
  const origin = await http.listen({ host: '127.0.0.1', port: 0 });
  const baseUrl = origin + config.basePath;
  const users = createUsers(database);
  const ownerPool = createOwnerPool(testDatabase.ownerUrl);
  await users.add('admin', ['admin']);
  return {
    origin,
    baseUrl,
    database,
    metrics,
    passwords,
    conditions,
    testDatabase,
    addUser: users.add,
    /** Adds a user with a role that has exactly these permissions. */
    addUserWith: users.addWith,
    call: (name: OperationName, parts: Parts = {}) => callOperation(baseUrl, name, parts),
    /** Runs as the owner of the tables, to write and read rows without the API. */
    sql: async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
      (await ownerPool.query<T>(text, values)).rows,
    /** The number of open transactions that wait for the server. Only a superuser can see those of other roles. */
    openTransactions: (): Promise<number> => withClient(testDatabase.superuserUrl, countOpenTransactions),
    stop: async () => {
      await http.close();
      await database.close();
      await ownerPool.end();
      await testDatabase.drop();
    },
  };
}

/** A pool, because tests run thousands of queries and a new connection takes longer than most of them. */
function createOwnerPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: 3, connectionTimeoutMillis: patientSeconds * 1000 });
  // The pool replaces connections that a test has ended.
  pool.on('error', () => undefined);
  return pool;
}

async function countOpenTransactions(client: Client): Promise<number> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
  );
  return rowCount ?? 0;
}

function createUsers(database: ReturnType<typeof openDatabase>) {
  const passwordHash = createPasswords().hash(testPassword);
  const author = { kind: 'operator' as const, id: null, requestId: null, operation: 'test' };
  const add = async (username: string, roles: string[], active = true): Promise<number> => {
    const values = { username, email: `${username}@example.org`, name: '', active, password_hash: await passwordHash };
    return (await inTransaction(database.db, (tx) => createUser(tx, author, values, { roles }))).id;
  };
  const addWith = async (username: string, ...permissions: string[]): Promise<number> => {
    const name = `role of ${username}`;
    await inTransaction(database.db, (tx) => insertRole(tx, { name, description: '', permissions }));
    return add(username, [name]);
  };
  return { add, addWith };
}

async function callOperation(baseUrl: string, name: OperationName, parts: Parts): Promise<Answer> {
  const { method, path, upload }: Operation = operations[name];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(parts.params?.[key])));
  const search = new URLSearchParams(
    Object.entries(parts.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const url = `${baseUrl}${filled}${search.size === 0 ? '' : `?${search.toString()}`}`;
  const response = await fetch(url, {
    method,
    headers: { ...headersOf(parts), ...(upload !== undefined && { 'content-type': upload }), ...parts.headers },
    ...(parts.body === undefined ? {} : { body: isRaw(parts.body) ? parts.body : JSON.stringify(parts.body) }),
  });
  const text = response.ok && response.body ? await readFirst(name, response.body) : await response.text();
  const answer = {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
  const isMasked = parts.fields !== undefined || parts.query?.['columns'] !== undefined;
  // A repeated request whose response was not stored gets only the URI.
  checkAgainstTable(name, answer, isMasked || answer.headers.has('location'));
  return answer;
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array;

/** Reads only the first message of a stream and the first line of an export. Other responses are read completely. */
async function readFirst(name: OperationName, body: ReadableStream<Uint8Array>): Promise<string> {
  const { stream, lines }: Operation = operations[name];
  if (!stream && !lines) return new Response(body).text();
  for await (const first of stream ? readMessages(body) : readLines(body)) return JSON.stringify(first);
  throw new Error('The response ended before its first message or line.');
}

const headersOf = ({ as = 'admin', body, fields, headers }: Parts) => ({
  ...(as === null ? {} : { authorization: basic(as, testPassword) }),
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  ...(fields === undefined ? {} : { 'x-fields': fields }),
  ...headers,
});

const ajv = new Ajv({ strict: false, formats: { date: calendarDate, 'date-time': dateTime, 'scan-date': scanDate } });

function checkAgainstTable(name: OperationName, answer: Answer, masked: boolean): void {
  const operation: Operation = operations[name];
  expect(Object.keys(responsesOf(operation)), `status of ${name}`).toContain(String(answer.status));
  const type = answer.headers.get('content-type');
  // A rejected change of state has the same shape as a successful one.
  const refusal = type?.startsWith('application/json') ? operation.refusals?.[answer.status] : undefined;
  const isProblem = answer.status >= 400 && !refusal;
  if (isProblem) expectValid(Problem, answer.body, `problem of ${name}`);
  else if (!masked && !operation.stream) expectValid(refusal ?? operation.response, answer.body, `response of ${name}`);
  expect(type).toBe(`${isProblem ? 'application/problem+json' : typeOf(operation)}; charset=utf-8`);
}

const typeOf = ({ stream, lines }: Operation) =>
  stream ? 'text/event-stream' : lines ? 'application/x-ndjson' : 'application/json';

function expectValid(schema: object, value: unknown, what: string): void {
  const isValid = ajv.validate(schema, value);
  expect(isValid, `${what}: ${ajv.errorsText()} in ${JSON.stringify(value)?.slice(0, 500)}`).toBe(true);
}
