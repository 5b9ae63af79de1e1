/** New passwords by mail with a server, a worker and a mail server as they are, and people who ask for one. */
import { basic } from '@milepost/api';
import { expect } from 'vitest';
import { resetTokenIn, startMailServer, type ReceivedMail } from './counterparts/mail-server.ts';
import { createTestDatabase, withClient } from './postgres.ts';
import { startServerProcess } from './server-process.ts';
import { testPassword } from './server.ts';
import { startWorkerProcess } from './worker-process.ts';

export const newPassword = 'canary of a new sentence';
export const publicUrl = 'https://milepost.example.org';
export type ResetWorld = Awaited<ReturnType<typeof startResetWorld>>;

export interface Person {
  id: number;
  username: string;
  email: string;
  /** What a proxy says of their address, which is nobody else's. */
  from: Record<string, string>;
}

export const addressOf = (number: number) => ({ 'x-forwarded-for': `10.3.0.${number}`, 'x-forwarded-proto': 'https' });

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
  const letters = lettersOf(mail.received);
  return {
    ...calls,
    ...letters,
    settings,
    database,
    mail,
    server,
    worker,
    sql,
    /** The token that came by the first letter. */
    linkFor: async (somebody: Person): Promise<string> => {
      expect(await calls.ask(somebody.username, somebody.from)).toMatchObject({ status: 202 });
      return resetTokenIn(await letters.letterTo(somebody.email));
    },
    /** Until the worker has seen all that was asked for. */
    allSeen: async () => {
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
  const answerTo = async (...parts: Parameters<typeof call>) => {
    const answer = await call(...parts);
    // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
    return { status: answer.status, ...((await answer.json()) as any) };
  };
  let people = 0;
  return {
    call,
    person: async (name = `person${people}`): Promise<Person> => {
      const number = ++people;
      const username = `${name}${number}`;
      const email = `${username}@example.org`;
      const body = { username, email, password: testPassword };
      const { id } = await answerTo('POST', '/users', body, { authorization: basic('admin', testPassword) });
      return { id, username, email, from: addressOf(number) };
    },
    ask: (login: string, from: Record<string, string>) => answerTo('POST', '/password-resets', { login }, from),
    redeem: (token: string, from: Record<string, string>, password = newPassword) =>
      answerTo('POST', '/password-resets/redeem', { token, password }, from),
    signIn: async ({ username, from }: Person, password: string): Promise<number> =>
      (await call('GET', '/session', undefined, { ...from, authorization: basic(username, password) })).status,
  };
}

function lettersOf(received: readonly ReceivedMail[]) {
  const lettersTo = (email: string) => received.filter(({ to }) => to.includes(email));
  const letterTo = async (email: string, number = 1): Promise<ReceivedMail> => {
    await expect.poll(() => lettersTo(email).length, { interval: 50 }).toBe(number);
    return lettersTo(email)[number - 1] as ReceivedMail;
  };
  return { lettersTo, letterTo };
}
