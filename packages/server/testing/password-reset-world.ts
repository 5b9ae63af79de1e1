/** Password resets with a server, a worker and a mail server, and users who request them. */
import { basic } from '@milepost/api';
import { expect } from 'vitest';
import { resetTokenIn, startMailServer, type ReceivedMail } from './counterparts/mail-server.ts';
import { createTestDatabase, withClient } from './test-database.ts';
import { startServerProcess } from './processes/server-process.ts';
import { testPassword } from './server.ts';
import { startWorkerProcess } from './processes/worker-process.ts';

export const newPassword = 'canary of a new sentence';
export const publicUrl = 'https://milepost.example.org';
export type ResetWorld = Awaited<ReturnType<typeof startResetWorld>>;

export interface ResetUser {
  id: number;
  username: string;
  email: string;
  /** Headers that a proxy would add, with an address of its own for each user. */
  proxyHeaders: Record<string, string>;
}

export const headersFrom = (number: number) => ({
  'x-forwarded-for': `10.3.0.${number}`,
  'x-forwarded-proto': 'https',
});

export async function startResetWorld() {
  const [database, mail] = [await createTestDatabase(), await startMailServer()];
  const settings = {
    DATABASE_URL: database.databaseUrl,
    MILEPOST_ADMIN_PASSWORD: testPassword,
    MILEPOST_PUBLIC_URL: publicUrl,
    MILEPOST_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MILEPOST_MAIL_FROM: 'milepost@example.org',
    MILEPOST_LOG_LEVEL: 'trace',
    MILEPOST_TRUSTED_PROXIES: '127.0.0.1',
  };
  const server = await startServerProcess(settings);
  const worker = await startWorkerProcess(settings);
  const sql = <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
    withClient(database.ownerUrl, async (client) => (await client.query<T>(text, values)).rows);
  const calls = callsTo(server.baseUrl);
  const mailboxes = mailboxesOf(mail.received);
  return {
    ...calls,
    ...mailboxes,
    settings,
    database,
    mail,
    server,
    worker,
    sql,
    /** Requests a reset and returns the token of the first mail. */
    linkFor: async (user: ResetUser): Promise<string> => {
      expect(await calls.requestReset(user.username, user.proxyHeaders)).toMatchObject({ status: 202 });
      return resetTokenIn(await mailboxes.mailTo(user.email));
    },
    /** Waits until the worker has processed all requests. */
    waitUntilProcessed: async () => {
      await expect
        .poll(() => sql('select from password_resets where sent_at is null and ended_at is null'))
        .toEqual([]);
    },
    stop: async () => {
      await Promise.all([server.stop(), worker.stop()]);
      await mail.stop();
      await database.drop();
    },
  };
}

function callsTo(baseUrl: string) {
  const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(baseUrl + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const responseTo = async (...parts: Parameters<typeof call>) => {
    const response = await call(...parts);
    // oxlint-disable-next-line typescript/no-explicit-any -- responses of every shape
    return { status: response.status, ...((await response.json()) as any) };
  };
  let users = 0;
  return {
    call,
    user: async (name = `user${users}`): Promise<ResetUser> => {
      const number = ++users;
      const username = `${name}${number}`;
      const email = `${username}@example.org`;
      const body = { username, email, password: testPassword };
      const { id } = await responseTo('POST', '/users', body, { authorization: basic('admin', testPassword) });
      return { id, username, email, proxyHeaders: headersFrom(number) };
    },
    requestReset: (login: string, proxyHeaders: Record<string, string>) =>
      responseTo('POST', '/password-resets', { login }, proxyHeaders),
    redeem: (token: string, proxyHeaders: Record<string, string>, password = newPassword) =>
      responseTo('POST', '/password-resets/redeem', { token, password }, proxyHeaders),
    signIn: async ({ username, proxyHeaders }: ResetUser, password: string): Promise<number> =>
      (await call('GET', '/session', undefined, { ...proxyHeaders, authorization: basic(username, password) })).status,
  };
}

function mailboxesOf(received: readonly ReceivedMail[]) {
  const allMailTo = (email: string) => received.filter(({ to }) => to.includes(email));
  const mailTo = async (email: string, number = 1): Promise<ReceivedMail> => {
    await expect.poll(() => allMailTo(email).length, { interval: 50 }).toBe(number);
    return allMailTo(email)[number - 1] as ReceivedMail;
  };
  return { allMailTo, mailTo };
}
