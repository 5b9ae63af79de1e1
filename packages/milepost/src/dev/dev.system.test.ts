/** `milepost dev` in a folder of its own: everything starts with nothing installed, and Ctrl-C leaves nothing running. */
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

const start = (end: RegExp) => startDev(folder.path, end);

const pressControlC = async (child: ChildProcess) => expect(await signalGroup(child, 'SIGINT')).toBe(0);

/** PostgreSQL's own note of its process and, in the fourth line, its port. The process is negative while a cluster is made. */
async function readNote(): Promise<{ pid: number; port: number }> {
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

/** From `waiting` to `done` when a callback has run, which only a worker does. */
const movesByItself = `
label: moving
states:
  - label: waiting
    callbacks: [{label: pause, function: sleep, callback_arguments: {seconds: 0}}]
    transitions: [{destination: done, condition: "callbacks['pause'].result == 'success'"}]
  - label: done
`;

it('starts PostgreSQL, migrates, makes the account, serves, works; keeps the data; and Ctrl-C ends all of it', async () => {
  const first = await start(/runs callbacks/);
  const [, url = ''] = /serves at (\S+)/.exec(first.said) ?? [];
  const [, password = ''] = /Password: (\S+)/.exec(first.said) ?? [];
  const headers = { authorization: basic('admin', password), 'content-type': 'application/json' };
  const client = createClient({ baseUrl: `${url}/api/v2`, headers });
  await client.createCohort({ body: { label: 'kept' } });
  await client.importWorkflow({ body: { workflow_definition: movesByItself } });
  const { id: subject_id } = await client.createSubject({ body: { label: 'one', cohort_label: 'kept' } });
  const { id } = await client.createExperiment({ body: { label: 'first', subject_id } });
  const stateOf = async () => (await client.getExperimentState({ params: { id } })).state.label;
  await expect.poll(stateOf, { interval: 20 }).toBe('done');
  const { port } = await readNote();
  expect(await isListening(port)).toBe(true);
  await pressControlC(first.child);
  expect(await isListening(port)).toBe(false);

  const second = await start(/serves at/);
  const [, again = ''] = /serves at (\S+)/.exec(second.said) ?? [];
  const kept = await fetch(`${again}/api/v2/cohorts/by-label/kept`, { headers });
  expect(await kept.json()).toMatchObject({ label: 'kept', uri: expect.stringMatching(/^\/api\/v2\/cohorts\/\d+$/) });
  await pressControlC(second.child);
});

it('a second start on the same data says that it runs already and where, and disturbs nothing', async () => {
  const first = await start(/runs callbacks/);
  const [, url = ''] = /serves at (\S+)/.exec(first.said) ?? [];
  const second = spawnSync(...milepost('dev'), { cwd: folder.path, encoding: 'utf8' });
  expect(second.stderr).toMatch(`running already with the data in ${join(folder.path, 'milepost-data')}, at ${url}`);
  expect(second.status).toBe(1);
  expect((await fetch(`${url}/-/ready`)).status).toBe(200);
  await pressControlC(first.child);
});

it('one Ctrl-C that arrives twice, as it does through npm, still ends in order', async () => {
  const { child } = await start(/serves at/);
  const { port } = await readNote();
  const closed = once(child, 'close');
  // Two of one kind may arrive as one.
  child.kill('SIGINT');
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
  expect(await isListening(port)).toBe(false);
});

it('closing the terminal while it serves ends PostgreSQL, too', async () => {
  const { child } = await start(/serves at/);
  const { port } = await readNote();
  expect(await isListening(port)).toBe(true);
  expect(await signalGroup(child, 'SIGHUP')).toBe(0);
  expect(await isListening(port)).toBe(false);
});

/** Starts it with settings it cannot start with. */
async function refuse(settings: Record<string, string>) {
  const child = spawnDev(folder.path, [], { complaints: 'read', settings });
  const [[code], said, complaint] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { code: code as number | null, said, complaint };
}

describe('what cannot start says so, and nothing else', () => {
  it('a wrong setting, before anything is started', async () => {
    expect(await refuse({ MILEPOST_PORT: 'eighty' })).toEqual({
      code: 1,
      said: '',
      complaint:
        'The settings need attention:\n  - MILEPOST_PORT is "eighty": a whole number from 0 to 65535 is needed.\n',
    });
  });

  it('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await refuse({ MILEPOST_PORT: String(port) })).toMatchObject({
      code: 1,
      complaint:
        `Starting PostgreSQL in ${join(folder.path, 'milepost-data')}: all data are kept there.\n` +
        `127.0.0.1:${port} is in use by another program: stop it, or set MILEPOST_PORT.\n`,
    });
    other.close();
  });
});

const often = { interval: 20 };

/** Starts it until PostgreSQL has noted its process, which is before it serves. */
async function startUntilNote() {
  const child = spawnDev(folder.path, [], { complaints: 'ignore' });
  child.stdout?.resume();
  let pid = 0;
  const findProcess = async () => ({ pid } = await readNote().catch(() => ({ pid: 0 }))).pid;
  await expect.poll(findProcess, { interval: 5 }).toBeGreaterThan(0);
  expect(isAlive(pid)).toBe(true);
  return { child, pid };
}

describe('a signal during the start, as soon as PostgreSQL has noted its process', () => {
  it('to the process alone ends both in order', async () => {
    const { child, pid } = await startUntilNote();
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
    await expect.poll(() => isAlive(pid), often).toBe(false);
  });

  it('by Ctrl-C, which also reaches the program that starts PostgreSQL, leaves nothing running', async () => {
    const { child, pid } = await startUntilNote();
    await signalGroup(child, 'SIGINT');
    // That program tells PostgreSQL to end and does not wait for it.
    await expect.poll(() => isAlive(pid), often).toBe(false);
  });
});
