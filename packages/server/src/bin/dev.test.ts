/** `npm run dev` in a folder of its own: everything starts with nothing installed, and Ctrl-C leaves nothing running. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { basic } from '@milepost/api';
import { afterAll, beforeAll, expect, it } from 'vitest';

const program = fileURLToPath(new URL('./dev.ts', import.meta.url));
const settings = { MILEPOST_PORT: '0', MILEPOST_METRICS_PORT: '0' };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-dev-'));
  // Run by root, PostgreSQL is another account's, which must be able to enter.
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts it and reads what it says until `end` stands in a line. */
async function start(end: RegExp): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ['--conditions=source', program], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, as a terminal's, so that the signal reaches every process that is in it.
    detached: true,
  });
  let said = '';
  for await (const line of createInterface({ input: child.stdout })) {
    said += `${line}\n`;
    if (end.test(line)) return { child, said };
  }
  throw new Error(`it ended early, having said:\n${said}`);
}

async function pressControlC(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  process.kill(-(child.pid ?? 0), 'SIGINT');
  expect(await exited).toEqual([0, null]);
}

/** PostgreSQL's own note of where it listens, in the fourth line. */
const postgresPort = async () =>
  Number((await readFile(join(folder, '.data', 'data', 'postmaster.pid'), 'utf8')).split('\n')[3]);

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const outcome = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return outcome;
}

it('starts PostgreSQL, migrates, makes the account, serves; keeps the data; and Ctrl-C ends all of it', async () => {
  const first = await start(/Password/);
  const [, url = ''] = /serves at (\S+)/.exec(first.said) ?? [];
  const [, password = ''] = /Password: (\S+)/.exec(first.said) ?? [];
  const headers = { authorization: basic('admin', password), 'content-type': 'application/json' };
  const body = JSON.stringify({ label: 'kept' });
  expect((await fetch(`${url}/api/v2/cohorts`, { method: 'POST', headers, body })).status).toBe(201);
  const port = await postgresPort();
  expect(await isListening(port)).toBe(true);
  await pressControlC(first.child);
  expect(await isListening(port)).toBe(false);

  const second = await start(/serves at/);
  const [, again = ''] = /serves at (\S+)/.exec(second.said) ?? [];
  const kept = await fetch(`${again}/api/v2/cohorts/by-label/kept`, { headers });
  expect(await kept.json()).toMatchObject({ label: 'kept', uri: expect.stringMatching(/^\/api\/v2\/cohorts\/\d+$/) });
  await pressControlC(second.child);
});
