/** `milepost dev` in an empty folder: it starts everything without an installed PostgreSQL, and Ctrl-C stops everything. */
import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { basic, createClient } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createDevFolder,
  firstPasswordIn,
  milepost,
  signalGroup,
  spawnDev,
  startDev,
  type DevFolder,
} from '../../testing/dev-process.ts';
import { isAlive } from '@milepost/server';

let folder: DevFolder;
beforeAll(async () => {
  folder = await createDevFolder();
});
afterAll(() => folder.remove());

const often = { interval: 20 };
const [serverRuns, workerRuns] = [/Milepost is running at/, /Worker \S+ is running/];
const start = (end: RegExp) => startDev(folder.path, end);

const pressControlC = async (child: ChildProcess) => expect(await signalGroup(child, 'SIGINT')).toBe(0);

/** PostgreSQL writes its process id and, in the fourth line, its port. The id is negative while the cluster is created. */
async function readPidFile(): Promise<{ pid: number; port: number }> {
  const lines = (await readFile(join(folder.path, 'milepost-data', 'data', 'postmaster.pid'), 'utf8')).split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const outcome = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return outcome;
}

/** Moves from `waiting` to `done` when a worker has run the callback. */
const automaticWorkflow = `
label: moving
states:
  - label: waiting
    callbacks: [{label: pause, function: sleep, callback_arguments: {seconds: 0}}]
    transitions: [{destination: done, condition: "callbacks['pause'].result == 'success'"}]
  - label: done
`;

describe('milepost dev', () => {
  it('starts a database, a server and a worker, stops them on Ctrl-C, and keeps the data for the next start', async () => {
    const first = await start(workerRuns);
    const [, url = ''] = /running at (\S+)/.exec(first.output) ?? [];
    const password = await firstPasswordIn(first.output);
    const headers = { authorization: basic('admin', password), 'content-type': 'application/json' };
    const client = createClient({ baseUrl: `${url}/api/v2`, headers });
    await client.createCohort({ body: { label: 'kept' } });
    await client.importWorkflow({ body: { workflow_definition: automaticWorkflow } });
    const { id: subject_id } = await client.createSubject({ body: { label: 'one', cohort_label: 'kept' } });
    const { id } = await client.createExperiment({ body: { label: 'first', subject_id } });
    const stateOf = async () => (await client.getExperimentState({ params: { id } })).state.label;
    await expect.poll(stateOf, { interval: 20 }).toBe('done');
    const { port } = await readPidFile();
    expect(await isListening(port)).toBe(true);
    await pressControlC(first.child);
    expect(await isListening(port)).toBe(false);

    const second = await start(serverRuns);
    const [, again = ''] = /running at (\S+)/.exec(second.output) ?? [];
    const kept = await fetch(`${again}/api/v2/cohorts/by-label/kept`, { headers });
    expect(await kept.json()).toMatchObject({ label: 'kept', uri: expect.stringMatching(/^\/api\/v2\/cohorts\/\d+$/) });
    await pressControlC(second.child);
  });

  it('rejects a second start with the same data folder, names the running instance and leaves it running', async () => {
    const first = await start(workerRuns);
    const [, url = ''] = /running at (\S+)/.exec(first.output) ?? [];
    const second = spawnSync(...milepost('dev'), { cwd: folder.path, encoding: 'utf8' });
    expect(second.stderr).toMatch(
      `already running at ${url} with the data folder ${join(folder.path, 'milepost-data')}`,
    );
    expect(second.status).toBe(1);
    expect((await fetch(`${url}/-/ready`)).status).toBe(200);
    await pressControlC(first.child);
  });

  it('shuts down gracefully when npm delivers one Ctrl-C twice', async () => {
    const { child } = await start(serverRuns);
    const { port } = await readPidFile();
    const closed = once(child, 'close');
    // Two different signals, because two of the same kind can arrive as one.
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
    expect(await isListening(port)).toBe(false);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'leaves nothing running when %s reaches only its own process',
    async (signal) => {
      const { child, output } = await start(workerRuns);
      const [, url = ''] = /running at (\S+)/.exec(output) ?? [];
      const { pid } = await readPidFile();
      expect(isAlive(pid)).toBe(true);
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
      await expect.poll(() => isAlive(pid), often).toBe(false);
      expect(await isListening(Number(new URL(url).port))).toBe(false);
    },
  );

  it('continues when nobody reads its output any more', async () => {
    const { child, output } = await startDev(folder.path, serverRuns, [], { settings: { MILEPOST_LOG_LEVEL: 'info' } });
    const [, url = ''] = /running at (\S+)/.exec(output) ?? [];
    child.stdout?.destroy();
    child.stderr?.destroy();
    // Each request writes a line to the log.
    for (let count = 0; count < 3; count += 1) expect((await fetch(`${url}/api/v2/session`)).status).toBe(401);
    await pressControlC(child);
  });

  it('stops PostgreSQL and exits when the terminal is closed', async () => {
    const { child } = await start(serverRuns);
    const { port } = await readPidFile();
    expect(await isListening(port)).toBe(true);
    expect(await signalGroup(child, 'SIGHUP')).toBe(0);
    expect(await isListening(port)).toBe(false);
  });
});

async function failToStart(settings: Record<string, string>) {
  const child = spawnDev(folder.path, [], { stderr: 'read', settings });
  const [[code], stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { code: code as number | null, stdout, stderr };
}

describe('a failed start', () => {
  it('reports only the invalid setting', async () => {
    expect(await failToStart({ MILEPOST_PORT: 'eighty' })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Invalid settings:\n  - MILEPOST_PORT is "eighty": it must be a whole number from 0 to 65535.\n',
    });
  });

  it('names the port that is in use before PostgreSQL starts, and the flag that changes it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await failToStart({ MILEPOST_PORT: String(port) })).toMatchObject({
      code: 1,
      stderr: `127.0.0.1:${port} is in use by another program. Stop it, or change --port or MILEPOST_PORT.\n`,
    });
    other.close();
  });
});

/** Starts Milepost and returns as soon as PostgreSQL has written its process id, before the server runs. */
async function startUntilPidFile() {
  const child = spawnDev(folder.path, [], { stderr: 'ignore' });
  child.stdout?.resume();
  let pid = 0;
  const findProcess = async () => ({ pid } = await readPidFile().catch(() => ({ pid: 0 }))).pid;
  await expect.poll(findProcess, { interval: 5 }).toBeGreaterThan(0);
  expect(isAlive(pid)).toBe(true);
  return { child, pid };
}

describe('a signal during startup', () => {
  it('stops Milepost and PostgreSQL gracefully if only the main process receives it', async () => {
    const { child, pid } = await startUntilPidFile();
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
    await expect.poll(() => isAlive(pid), often).toBe(false);
  });

  it('leaves no process running if it also reaches the program that starts PostgreSQL', async () => {
    const { child, pid } = await startUntilPidFile();
    await signalGroup(child, 'SIGINT');
    // That program tells PostgreSQL to stop and does not wait for it.
    await expect.poll(() => isAlive(pid), often).toBe(false);
  });
});
