/**
 * Uses a canary for every secret in real processes. After all of them were used, none appears in a response, an event, a log or
 * the database.
 */
import { basic, operations, sessionCookie } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser } from '../testing/browser.ts';
import { resetTokenIn } from '../testing/counterparts/mail-server.ts';
import { withClient } from '../testing/test-database.ts';
import { startInstallation, type Installation } from '../testing/secret-canaries/installation.ts';
import { leakedSecrets, canaries, formsOf, secrets, addSecret } from '../testing/secret-canaries/search.ts';
import { sameOriginHeaders } from '../testing/sessions.ts';
import { goToProvider } from '../testing/single-sign-on.ts';
import { inDays } from '../testing/tokens.ts';
import { chunksOf } from '../testing/measure/watched-reading.ts';
import { dumpAll } from '../testing/rows/whole-dump.ts';

let installation: Installation;
let request: Installation['request'];
beforeAll(async () => {
  installation = await startInstallation();
  ({ request } = installation);
});
afterAll(() => installation.stop());

const sql = <Row extends object>(text: string): Promise<Row[]> =>
  withClient(installation.database.ownerUrl, async (client) => (await client.query<Row>(text)).rows);

async function useAccounts(): Promise<number> {
  const person = { username: 'ann', email: 'ann@example.org', name: 'Ann', password: canaries.user };
  const { id } = (await request(201, 'POST', '/users', { body: person })).body;
  await request(400, 'POST', '/users', { body: { ...person, username: 'bob', password: 'canary' } });
  await request(400, 'POST', '/users', { body: { ...person, passwort: canaries.unsaved } });
  await request(400, 'POST', '/users', { body: `{"password": "${canaries.unsaved}", ` });
  await request(200, 'GET', `/users/${id}`, { as: basic('ann', canaries.user) });
  await request(200, 'PUT', `/users/${id}`, { body: { password: canaries.changed }, as: basic('ann', canaries.user) });
  for (const as of [basic('ann', canaries.wrong), basic('nobody', canaries.wrong), `Bearer ${canaries.madeUpToken}`])
    await request(401, 'GET', '/cohorts', { as });
  return id as number;
}

const cookieIn = (text: string) => /"set-cookie","[^=]+=([^;]+)/.exec(text)?.[1] ?? '';

/** Signing in shows the token of its session once. */
const withoutCookie = (text: string) => text.replace(addSecret('session', cookieIn(text)), '');

async function useSessions(user: number) {
  const body = { username: 'ann', password: canaries.changed };
  const { headers } = await request(201, 'POST', '/session', {
    body,
    as: '',
    headers: sameOriginHeaders,
    redact: withoutCookie,
  });
  const cookie = headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const here = { as: '', headers: { ...sameOriginHeaders, cookie } };
  for (const path of ['/session', '/sessions']) await request(200, 'GET', path, here);
  await request(403, 'PUT', `/users/${user}`, {
    ...here,
    body: { email: 'ann@example.com', current_password: canaries.wrong },
  });
  const wrong = { username: 'ann', password: canaries.wrong };
  await request(401, 'POST', '/session', { body: wrong, as: '', headers: sameOriginHeaders });
}

/** A token is shown once. */
const withoutToken = (text: string) =>
  text.replace(/"token":"([^"]+)"/, (_, token: string) => addSecret('token', token) && '');

async function useTokens(user: number) {
  const body = { name: 'nightly', permissions: [], expires_at: inDays(1) };
  const made = (await request(201, 'POST', `/users/${user}/tokens`, { body, redact: withoutToken })).body;
  const as = `Bearer ${made.token}`;
  await request(200, 'GET', `/users/${user}`, { as });
  await request(200, 'GET', `/users/${user}/tokens`);
  await request(200, 'DELETE', `/users/${user}/tokens/${made.id}`);
  await request(401, 'GET', `/users/${user}`, { as });
}

async function useResets() {
  await request(202, 'POST', '/password-resets', { as: '', body: { login: 'ann' } });
  const { received } = installation.mail;
  await expect.poll(() => received.length, { interval: 50 }).toBe(1);
  const token = addSecret('password reset link', received.map(resetTokenIn).join(''));
  const madeUp = 'canaryMadeUpLinkToANewPassword0123456789abc';
  await request(403, 'POST', '/password-resets/redeem', {
    as: '',
    body: { token: addSecret('made-up link', madeUp), password: canaries.reset },
  });
  for (const status of [200, 403])
    await request(status, 'POST', '/password-resets/redeem', { as: '', body: { token, password: canaries.reset } });
}

/** Uses a cookie and a code during the sign-in, then a session cookie. The provider's tokens never reach the browser. */
async function useSingleSignOn() {
  const { provider, server, answers } = installation;
  const [sides, browser] = [{ origin: server.url, provider }, createBrowser()];
  provider.world.people.set('eve', { name: 'Eve', preferred_username: 'eve', groups: ['readers'] });
  const callback = await goToProvider(sides, 'eve', browser);
  const jar = browser.jarOf(server.url);
  addSecret('sign-in in progress', [...jar.values()][0] ?? '');
  addSecret('code of the provider', new URL(callback).searchParams.get('code') ?? '');
  const { status, response } = await browser.get(callback);
  expect(status).toBe(303);
  expect(provider.world.tokens).toHaveLength(2);
  for (const token of provider.world.tokens) addSecret(`token of the provider (${token.length})`, token);
  const session = jar.get(sessionCookie) ?? '';
  answers.push(JSON.stringify([...response.headers]).replace(session, '') + (await response.text()));
  addSecret('session of single sign-on', session);
  expect((await browser.get(callback)).location).toContain('problem=');
}

const workflow = (origin: string) => `label: canaries
states:
  - label: run
    callbacks:
      - {label: call, function: http, callback_arguments: {url: "${origin}/echo", body: {secret_key: "{{execution.secret}}"}}}
      - {label: fail, function: http, callback_arguments: {url: "${origin}/status?code=404&say=x"}}
      - {label: mail, function: send_mail, callback_arguments: {to: ann@example.org, subject: of a callback, body: b}}
      - {label: pull, function: worker, callback_arguments: {queue: pulled}}
    transitions: [{destination: end, condition: "callbacks['pull'].result == 'success'"}]
  - {label: end}
`;

async function createExperiment() {
  const { web } = installation;
  await request(201, 'POST', '/service/config/import-workflow', {
    body: { workflow_definition: workflow(web.origin) },
  });
  await request(201, 'POST', '/cohorts', { body: { label: 'c' } });
  const born = { label: 's', date_of_birth: '1950-01-01', cohort_label: 'c' };
  const subject = await request(201, 'POST', '/subjects', { body: born });
  const body = { label: 'e', subject_id: subject.body.id, workflow_label: 'canaries' };
  await request(201, 'POST', '/experiments', { body, headers: { 'idempotency-key': 'one' } });
  await request(201, 'POST', '/bulk_operations', { body: { kind: 'note', text: 'x', query: '', dry_run: true } });
  await request(201, 'POST', '/imports?cohort_id=1', { body: 'subject\ns\n', headers: { 'content-type': 'text/csv' } });
}

/** A claim shows the secret of its attempt once. */
const withoutClaimed = (text: string) => text.replaceAll(/"secret":"[^"]+"/g, '');

async function useExecutions() {
  await createExperiment();
  const wanted = { queues: ['pulled'], max: 1, wait_seconds: 20 };
  const [claim] = (await request(200, 'POST', '/worker/claims', { body: wanted, redact: withoutClaimed })).body.claims;
  const secret_key = addSecret('attempt', claim.secret);
  const as = `Bearer ${secret_key}`;
  await request(200, 'PUT', `/worker/claims/${claim.execution.id}`, { body: { log: `it is ${secret_key}` }, as });
  const path = `/callback_executions/${claim.execution.id}`;
  const body = { status: 'finished', result: 'success', run_log: `by ${secret_key}`, result_values: { a: secret_key } };
  for (const wrong of [{ secret: `${secret_key}x` }, { secret_key: `${secret_key}x` }])
    await request(403, 'PUT', path, { body: { ...body, ...wrong }, as: '' });
  for (const key of ['two', 'two'])
    await request(200, 'PUT', path, { body: { ...body, secret_key }, as: '', headers: { 'idempotency-key': key } });
  await expect
    .poll(() => sql(`select from callback_executions where status not in ('finished', 'skipped')`))
    .toEqual([]);
  const sent = installation.web.received.find(({ url }) => url === '/echo');
  addSecret('attempt of http', (JSON.parse(sent?.body ?? '{}') as { secret_key: string }).secret_key);
}

/** Paths of resources that do not exist in this test. */
const empty = /external_(?:systems|\w+_links)\/|\/(?:scans|scantypes)\/|\/views\/\{|\/erasure$/;
/** Parameters that an operation requires. */
const required: Record<string, string> = {
  '/search': '?q=e',
  '/experiments/search/completions': '?of=var',
  '/workflows/{id}/past_counts': '?at=2026-11-01',
};
const requiredOf = (path: string) => (path.startsWith('/insights') ? '?workflow_id=1' : (required[path] ?? ''));

/** Calls every GET operation for the existing resources. */
async function readEverything(user: number) {
  const executions = await sql<{ id: number }>('select id::int from callback_executions');
  expect(executions).toHaveLength(4);
  for (const { method, path } of Object.values(operations)) {
    if (method !== 'GET' || path === operations.listEvents.path) continue;
    const ids = path.startsWith('/callback_executions')
      ? executions.map(({ id }) => id)
      : [path.startsWith('/users') ? user : 1];
    for (const id of ids) {
      const names: Record<string, string | number> = {
        id,
        label: path.startsWith('/cohorts') ? 'c' : 'canaries',
        ...labels,
      };
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(names[name]));
      await request(empty.test(path) ? 404 : 200, 'GET', filled + requiredOf(path));
    }
  }
}
const labels = {
  subject_label: 's',
  experiment_label: 'e',
  workflow_label: 'canaries',
  state_label: 'run',
  system_name: 'x',
};

/** Collects all events from now on, as they are sent. */
async function followEvents() {
  const stop = new AbortController();
  const headers = { authorization: basic('admin', canaries.admin) };
  const response = await fetch(`${installation.server.baseUrl}/events`, { headers, signal: stop.signal });
  expect(response.status).toBe(200);
  let text = '';
  const read = async () => {
    for await (const chunk of chunksOf(response)) text += Buffer.from(chunk).toString();
  };
  const ended = read().catch((error: unknown) => expect(error).toMatchObject({ name: 'AbortError' }));
  await expect.poll(() => text).toContain('event: ready');
  return {
    text: () => text,
    stop: () => {
      stop.abort();
      return ended;
    },
  };
}

const lastEvent = async () => (await sql<{ last: number }>('select max(id)::int as last from events'))[0]?.last;

describe('leakedSecrets', () => {
  it('finds every secret in every encoding', () => {
    for (const [name, secret] of secrets)
      for (const form of formsOf(secret)) expect(leakedSecrets(`{"x":"${form}"}`)).toContain(name);
  });
});

describe('secrets', () => {
  it('do not appear in responses, events, logs or the database (V10.1.1)', async () => {
    const { answers, mail, server, worker, database } = installation;
    const events = await followEvents();
    const user = await useAccounts();
    await useSessions(user);
    await useTokens(user);
    await useResets();
    await useSingleSignOn();
    await useExecutions();
    expect(mail.logins).toContain('sender');
    await expect.poll(() => sql('select from checkpoints limit 1')).toHaveLength(1);
    await readEverything(user);
    await expect.poll(events.text).toMatch(new RegExp(`"id":${await lastEvent()}\\b`));
    await events.stop();
    expect(events.text()).toContain('createExperiment');
    expect(leakedSecrets(events.text())).toEqual([]);
    expect(answers.filter((answer) => leakedSecrets(answer).length > 0)).toEqual([]);
    const [dump, logs] = [await dumpAll(database.superuserUrl), server.output() + worker.output()];
    for (const part of ['ann@example.org', 'redeemPasswordReset', 'nightly', 'eve']) expect(dump).toContain(part);
    expect(leakedSecrets(dump)).toEqual([]);
    expect(logs.split('\n').length).toBeGreaterThan(answers.length);
    expect(leakedSecrets(logs)).toEqual([]);
  });
});
