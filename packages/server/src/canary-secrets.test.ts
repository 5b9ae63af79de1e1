/**
 * Canaries in the place of every secret, in processes as operators run them: after they were used in all the ways there
 * are, none is in an answer, a log, or anything that the database holds.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailServer, type TestMailServer } from '../testing/counterparts/mail-server.ts';
import { startWebServer, type WebServer } from '../testing/counterparts/web-server.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../testing/postgres.ts';
import { startServerProcess, type ServerProcess } from '../testing/server-process.ts';
import { ownPage } from '../testing/sessions.ts';
import { dumpAll } from '../testing/whole-dump.ts';
import { startWorkerProcess, type WorkerProcess } from '../testing/worker-process.ts';

const canaries = {
  admin: 'canary-admin-7Q2x/pass',
  user: 'canary-user-9Lk3 pässword',
  changed: 'canary-changed-4Tz8+pass',
  wrong: 'canary-wrong-1Vb6-pass',
  refused: 'canary',
  unsaved: 'canary-unsaved-3Nn5-pass',
  smtp: 'canary-smtp-5Mw0-pass',
  database: 'canary-database-8Rc1-pass',
  madeUpToken: 'mp_canaryMadeUpTokenOfSomebody0123456789abcdefgh',
};
const found = new Map<string, string>(Object.entries(canaries).filter(([name]) => name !== 'refused'));

const folder = mkdtempSync(join(tmpdir(), 'milepost-canaries-'));
const role = `canary_${process.pid}`;
const answers: string[] = [];
let database: TestDatabase;
let [server, worker] = [undefined, undefined] as unknown as [ServerProcess, WorkerProcess];
let [mail, web] = [undefined, undefined] as unknown as [TestMailServer, WebServer];

const inFile = (name: string, text: string) => {
  writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 });
  return join(folder, name);
};

/** The application's role under another name, with a password of its own. */
async function addRole(): Promise<string> {
  const url = Object.assign(new URL(database.databaseUrl), { username: role, password: canaries.database });
  await withClient(database.superuserUrl, (client) =>
    client.query(`create role ${role} login password '${canaries.database}' in role ${database.appRole}`),
  );
  return url.href;
}

beforeAll(async () => {
  [database, mail, web] = await Promise.all([createTestDatabase(), startMailServer(), startWebServer()]);
  const settings = {
    MILEPOST_LOG_LEVEL: 'trace',
    DATABASE_URL_FILE: inFile('database', await addRole()),
    MILEPOST_ADMIN_PASSWORD_FILE: inFile('admin', canaries.admin),
    MILEPOST_SMTP_URL_FILE: inFile('smtp', `smtp://sender:${canaries.smtp}@127.0.0.1:${mail.port}`),
    MILEPOST_MAIL_FROM: 'milepost@example.org',
    MILEPOST_OUTGOING_ALLOW: web.origin,
  };
  server = await startServerProcess(settings);
  worker = await startWorkerProcess({ ...settings, MILEPOST_PUBLIC_URL: server.url });
});
afterAll(async () => {
  await Promise.all([server, worker].map((one) => one.stop()));
  await Promise.all([mail.stop(), web.stop(), database.drop()]);
  await withClient(new URL('/postgres', database.superuserUrl).href, (client) => client.query(`drop role ${role}`));
  rmSync(folder, { recursive: true });
});

interface Asked {
  body?: unknown;
  as?: string;
  headers?: Record<string, string>;
  /** What this answer may show, as it is there for nothing else. */
  mayShow?: (answer: string) => string;
}

const asAdmin = basic('admin', canaries.admin);

async function ask(method: string, path: string, { body, as = asAdmin, headers, mayShow = String }: Asked = {}) {
  const response = await fetch(server.baseUrl + path, {
    method,
    headers: { authorization: as, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  answers.push(mayShow(`${method} ${path} ${JSON.stringify([...response.headers])} ${text}`));
  return {
    status: response.status,
    headers: response.headers,
    body: /[/+]json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
  };
}

/** From now on this is looked for, too. */
const remember = (name: string, secret: string) => {
  expect(secret.length).toBeGreaterThan(10);
  found.set(name, secret);
  return secret;
};

async function useAccounts() {
  const person = { username: 'ann', email: 'ann@example.org', name: 'Ann', password: canaries.user };
  const { status, body } = await ask('POST', '/users', { body: person });
  expect(status).toBe(201);
  expect(
    (await ask('POST', '/users', { body: { ...person, username: 'bob', password: canaries.refused } })).status,
  ).toBe(400);
  expect((await ask('POST', '/users', { body: { ...person, passwort: canaries.unsaved } })).status).toBe(400);
  expect((await ask('POST', '/users', { body: `{"password": "${canaries.unsaved}", ` })).status).toBe(400);
  await ask('GET', `/users/${body.id}`, { as: basic('ann', canaries.user) });
  const change = { password: canaries.changed };
  expect((await ask('PUT', `/users/${body.id}`, { body: change, as: basic('ann', canaries.user) })).status).toBe(200);
  for (const as of [basic('ann', canaries.wrong), basic('nobody', canaries.wrong), `Bearer ${canaries.madeUpToken}`])
    expect((await ask('GET', '/cohorts', { as })).status).toBe(401);
}

const cookieIn = (text: string) => /"set-cookie","[^=]+=([^;]+)/.exec(text)?.[1] ?? '';

/** Signing in shows the token of its session, once. */
const withoutCookie = (text: string) => text.replace(remember('session', cookieIn(text)), '');

async function useSessions() {
  const body = { username: 'ann', password: canaries.changed };
  const { headers, status } = await ask('POST', '/session', { body, as: '', headers: ownPage, mayShow: withoutCookie });
  expect(status).toBe(201);
  const cookie = headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  for (const path of ['/session', '/sessions']) await ask('GET', path, { as: '', headers: { ...ownPage, cookie } });
  const wrong = { username: 'ann', password: canaries.wrong };
  expect((await ask('POST', '/session', { body: wrong, as: '', headers: ownPage })).status).toBe(401);
}

/** A claim shows the secret of its attempt, once. */
const withoutClaimed = (text: string) => text.replaceAll(/"secret":"[^"]+"/g, '');

const workflow = () => `label: canaries
states:
  - label: run
    callbacks:
      - {label: call, function: http, callback_arguments: {url: "${web.origin}/echo", body: {secret: "{{execution.secret}}"}}}
      - {label: fail, function: http, callback_arguments: {url: "${web.origin}/status?code=404&say=x"}}
      - {label: mail, function: send_mail, callback_arguments: {to: ann@example.org, subject: s, body: b}}
      - {label: pull, function: worker, callback_arguments: {queue: pulled}}
    transitions: [{destination: end, condition: "callbacks['pull'].result == 'success'"}]
  - {label: end}
`;

async function useExecutions() {
  const imported = await ask('POST', '/service/config/import-workflow', { body: { workflow_definition: workflow() } });
  expect(imported.status).toBe(201);
  await ask('POST', '/cohorts', { body: { label: 'c' } });
  const born = { label: 's', date_of_birth: '1950-01-01', cohort_label: 'c' };
  const subject = await ask('POST', '/subjects', { body: born });
  const experiment = { label: 'e', subject_id: subject.body.id, workflow_label: 'canaries' };
  const { body, status } = await ask('POST', '/experiments', {
    body: experiment,
    headers: { 'idempotency-key': 'one' },
  });
  expect(status).toBe(201);
  const claimed = await ask('POST', '/worker/claims', {
    body: { queues: ['pulled'], max: 1, wait_seconds: 20 },
    mayShow: withoutClaimed,
  });
  const [claim] = claimed.body.claims;
  const as = `Bearer ${remember('attempt', claim.secret)}`;
  await ask('PUT', `/worker/claims/${claim.execution.id}`, { body: { log: `it is ${claim.secret}` }, as });
  const result = { status: 'finished', result: 'success', run_log: 'done', result_values: { a: 1 } };
  const path = `/callback_executions/${claim.execution.id}`;
  expect((await ask('PUT', path, { body: { ...result, secret: `${claim.secret}x` }, as: '' })).status).toBeGreaterThan(
    399,
  );
  expect((await ask('PUT', path, { body: result, as, headers: { 'idempotency-key': 'two' } })).status).toBe(200);
  return body.id as number;
}

async function readEverything(experiment: number) {
  const lists = [
    'actions',
    'attention',
    'audit',
    'audit/export',
    'callbacks',
    'cohorts',
    'experiments',
    'incidents',
    'roles',
  ];
  for (const path of [...lists, 'sessions', 'states', 'subjects', 'transitions', 'users', 'workflows', 'users/ann'])
    await ask('GET', `/${path}`);
  for (const path of ['', '/history', '/state', '/actions', '/timeline'])
    await ask('GET', `/experiments/${experiment}${path}`);
  for (const id of await executionIds()) {
    await ask('GET', `/callback_executions/${id}`);
    await ask('GET', `/callback_executions/${id}/attempts`);
  }
}

const executionIds = () =>
  withClient(database.ownerUrl, async (client) =>
    (await client.query<{ id: number }>('select id::int from callback_executions')).rows.map(({ id }) => id),
  );

const openExecutions = () =>
  withClient(
    database.ownerUrl,
    async (client) =>
      (await client.query(`select from callback_executions where status not in ('finished', 'skipped')`)).rowCount,
  );

/** The ways in which a text could stand somewhere. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')];
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), ...encoded];
}

const appearing = (text: string): string[] =>
  [...found].filter(([, secret]) => formsOf(secret).some((form) => text.includes(form))).map(([name]) => name);

describe('secrets', () => {
  it('are found by this search, wherever they stand', () => {
    for (const [name, secret] of found)
      for (const form of formsOf(secret)) expect(appearing(`{"x":"${form}"}`)).toContain(name);
  });

  it('that were used are in no answer, log or row', async () => {
    await useAccounts();
    await useSessions();
    const experiment = await useExecutions();
    await expect.poll(openExecutions, { interval: 100 }).toBe(0);
    const told = web.received.find(({ url }) => url === '/echo');
    remember('attempt of http', (JSON.parse(told?.body ?? '{}') as { secret: string }).secret);
    expect(mail.logins).toContain('sender');
    await readEverything(experiment);
    expect(answers.length).toBeGreaterThan(40);
    const telling = answers.filter((answer) => appearing(answer).length > 0);
    expect(telling).toEqual([]);
    const [dump, logs] = [await dumpAll(database.superuserUrl), server.output() + worker.output()];
    expect(dump).toContain('ann@example.org');
    expect(appearing(dump)).toEqual([]);
    expect(logs.split('\n').length).toBeGreaterThan(answers.length);
    expect(appearing(logs)).toEqual([]);
  });
});
