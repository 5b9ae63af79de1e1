/** `milepost admin reset-password` beside a running server. */
import { spawnSync } from 'node:child_process';
import { basic } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../server/testing/postgres-server.ts';
import { startServerProcess, type ServerProcess } from '../../server/testing/processes/server-process.ts';
import { milepost } from '../testing/dev-process.ts';

let database: TestDatabase;
let server: ServerProcess;
beforeAll(async () => {
  database = await cloneDatabase(inject('testServer'));
  server = await startServerProcess({ DATABASE_URL: database.databaseUrl });
});
afterAll(() => server.stop());

const reset = (input: string, ...args: string[]) =>
  spawnSync(...milepost('admin', 'reset-password', ...args), {
    encoding: 'utf8',
    input,
    env: { PATH: process.env['PATH'], DATABASE_URL: database.databaseUrl },
  });

const signIn = async (password: string) =>
  (await fetch(`${server.url}/api/v2/cohorts`, { headers: { authorization: basic('admin', password) } })).status;

describe('milepost admin reset-password', () => {
  it('prints a generated password on standard output, which is valid at once', async () => {
    const { stdout, stderr, status } = reset('', 'admin');
    expect([status, stderr]).toEqual([
      0,
      'Changed the password of admin and ended their sessions. The audit log shows the change.\n',
    ]);
    expect(await signIn(stdout.trim())).toBe(200);
  });

  it('reads the password from standard input, and prints nothing on standard output', async () => {
    const password = 'seven quiet lakes in autumn';
    const { stdout, status } = reset(`${password}\n`, 'admin', '--password-stdin');
    expect([status, stdout]).toEqual([0, '']);
    expect(await signIn(password)).toBe(200);
  });

  it('says what is wrong with a password or a name, and changes nothing', async () => {
    const { stdout, stderr, status } = reset('short', 'admin', '--password-stdin');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^\/password .*12/);
    expect(reset('', 'nobody').stderr).toBe('No user has the username or e-mail address "nobody".\n');
    expect(await signIn('seven quiet lakes in autumn')).toBe(200);
  });
});
