/** Runs a server and a worker as operators do, with a canary in place of every secret, and stores all responses. */
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basic } from '@milepost/api';
import { expect } from 'vitest';
import { createCheckpointKey } from '../../src/chain/checkpoint-key.ts';
import { startMailServer } from '../counterparts/mail-server.ts';
import { clientSecret, startOpenIdProvider } from '../counterparts/openid-provider.ts';
import { startWebServer } from '../counterparts/web-server.ts';
import { createTestDatabase, withClient, type TestDatabase } from '../test-database.ts';
import { startServerProcess } from '../processes/server-process.ts';
import { startWorkerProcess } from '../processes/worker-process.ts';
import { canaries, addSecret } from './search.ts';

export type Installation = Awaited<ReturnType<typeof startInstallation>>;

/** Adds the key as it is in its file, and its secret part in several encodings. */
function addCheckpointKey(pem: string): string {
  addSecret('checkpoint key', pem.split('\n')[1] ?? '');
  const { d = '' } = createPrivateKey(pem).export({ format: 'jwk' });
  addSecret('checkpoint seed', d);
  addSecret('checkpoint seed in base64', Buffer.from(d, 'base64url').toString('base64'));
  addSecret('checkpoint seed in hex', Buffer.from(d, 'base64url').toString('hex'));
  return pem;
}

const role = `canary_${process.pid}`;

/** Adds a role with the rights of the application's role and its own password. */
async function addRole({ databaseUrl, superuserUrl, appRole }: TestDatabase): Promise<string> {
  const url = Object.assign(new URL(databaseUrl), { username: role, password: canaries.database });
  await withClient(superuserUrl, (client) =>
    client.query(`create role ${role} login password '${canaries.database}' in role ${appRole}`),
  );
  return url.href;
}

export async function startInstallation() {
  const folder = mkdtempSync(join(tmpdir(), 'milepost-canaries-'));
  const inFile = (name: string, text: string) => {
    writeFileSync(join(folder, name), `${text}\n`, { mode: 0o600 });
    return join(folder, name);
  };
  const [database, web, provider] = await Promise.all([createTestDatabase(), startWebServer(), startOpenIdProvider()]);
  const mail = await startMailServer({ password: canaries.smtp });
  addSecret('client of the provider', clientSecret);
  const { MILEPOST_OIDC_CLIENT_SECRET, ...oidc } = provider.settings;
  const settings = {
    ...oidc,
    MILEPOST_LOG_LEVEL: 'trace',
    MILEPOST_TRUSTED_PROXIES: '127.0.0.1',
    MILEPOST_MAIL_FROM: 'milepost@example.org',
    MILEPOST_OUTGOING_ALLOW: web.origin,
    DATABASE_URL_FILE: inFile('database', await addRole(database)),
    MILEPOST_ADMIN_PASSWORD_FILE: inFile('admin', canaries.admin),
    MILEPOST_SMTP_URL_FILE: inFile('smtp', `smtp://sender:${canaries.smtp}@127.0.0.1:${mail.port}`),
    MILEPOST_OIDC_CLIENT_SECRET_FILE: inFile('oidc', MILEPOST_OIDC_CLIENT_SECRET),
    MILEPOST_CHECKPOINT_KEY_FILE: inFile('checkpoint', addCheckpointKey(createCheckpointKey())),
  };
  const server = await startServerProcess(settings);
  const worker = await startWorkerProcess(settings);
  const stop = async () => {
    await Promise.all([server, worker].map((one) => one.stop()));
    await Promise.all([mail.stop(), web.stop(), provider.stop(), database.drop()]);
    await withClient(new URL('/postgres', database.superuserUrl).href, (client) => client.query(`drop role ${role}`));
    rmSync(folder, { recursive: true });
  };
  const answers: string[] = [];
  return {
    database,
    mail,
    web,
    provider,
    server,
    worker,
    answers,
    request: createRequest(server.baseUrl, answers),
    stop,
  };
}

interface RequestOptions {
  body?: unknown;
  as?: string;
  headers?: Record<string, string>;
  /** Removes the secret that this response exists to show. */
  redact?: (response: string) => string;
}

const asAdmin = basic('admin', canaries.admin);
const overTls = { 'x-forwarded-proto': 'https' };

/** Checks the status, because a failed request would not contain what the test searches. */
const createRequest =
  (baseUrl: string, answers: string[]) =>
  async (expected: number, method: string, path: string, options: RequestOptions = {}) => {
    const { body, as = asAdmin, headers, redact = String } = options;
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(baseUrl + path, {
      method,
      headers: { ...overTls, ...content, ...(as && { authorization: as }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    expect({ method, path, text, status: response.status }).toMatchObject({ status: expected });
    answers.push(redact(`${method} ${path} ${JSON.stringify([...response.headers])} ${text}`));
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
    return { headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
