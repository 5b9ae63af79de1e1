/** docs/tutorials/first-study.md: its commands, run in its order on an empty installation, do what the page says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createDevFolder,
  firstPasswordIn,
  signalGroup,
  startDev,
  type DevFolder,
  type StartedDev,
} from '../../testing/dev-process.ts';

const docs = fileURLToPath(new URL('../../../../docs', import.meta.url));
const page = await readFile(join(docs, 'tutorials/first-study.md'), 'utf8');

const section = (number: number) => new RegExp(`^## ${number}\\. [^]*?(?=^## )`, 'm').exec(page)?.[0] ?? '';
const blocks = (number: number, language = 'sh') =>
  [...section(number).matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, block = '']) => block);

const [start = '', variables = '', checkLogin = ''] = blocks(2);
let folder: DevFolder;
let dev: StartedDev;
let password: string;

beforeAll(async () => {
  folder = await createDevFolder();
  await symlink(docs, join(folder.path, 'docs'));
  const [, , , , ...args] = start.trim().split(' ');
  dev = await startDev(folder.path, /Username: admin/, args);
  password = await firstPasswordIn(dev.output);
});
afterAll(() => folder.remove());

/** The variables of the page, with the first password and a free port. */
function filledVariables(): string {
  const [, url = ''] = /running at (\S+)/.exec(dev.output) ?? [];
  return variables.replace('http://localhost:8080', url).replace('the-printed-password', password);
}

const inShell = (commands: string) =>
  spawn('bash', ['-euc', filledVariables() + commands], {
    cwd: folder.path,
    // Only these variables: a proxy in the environment cannot reach this server.
    env: { PATH: process.env['PATH'], HOME: folder.path },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });

/** Runs commands of the page and returns the responses. */
async function run(commands = ''): Promise<unknown[]> {
  const shell = inShell(commands.replaceAll(/^curl /gm, 'curl --silent --show-error --write-out "\\n" '));
  const ended = once(shell, 'close') as Promise<[number | null]>;
  const [output, errorOutput] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  expect({ exit: await ended, errorOutput }).toEqual({ exit: [0, null], errorOutput: '' });
  return output.trim().split('\n').map(parsed);
}
const parsed = (line: string): unknown => JSON.parse(line);

describe('docs/tutorials/first-study.md', () => {
  it('starts an empty installation and signs in (section 2)', async () => {
    expect(start).toBe('npm run dev -- --data first-study-data\n');
    const [session] = await run(checkLogin);
    expect(session).toMatchObject({ user: { username: 'admin' }, roles: ['admin'] });
  });

  it('previews and imports the workflow (section 3)', async () => {
    await writeFile(join(folder.path, 'first-study.yaml'), blocks(3, 'yaml')[0] ?? '');
    const [dryRun, importWorkflow] = blocks(3);
    const [plan] = (await run(dryRun)) as [Record<'states' | 'callbacks' | 'transitions', { added: unknown[] }>];
    const added = [plan.states, plan.callbacks, plan.transitions].map((part) => part.added.length);
    expect(added).toEqual([5, 2, 5]);
    const [imported] = await run(importWorkflow);
    expect(imported).toMatchObject({ outcome: 'new', revision: 1 });
  });

  it('creates an experiment that moves to review automatically (section 4)', async () => {
    const [create, readState] = blocks(4);
    expect(await run(create)).toMatchObject([{ id: 1 }, { id: 1 }, { id: 1 }]);
    await expect.poll(() => run(readState)).toMatchObject([{ state: { label: 'review' } }]);
  });

  it('shows a rejected move, then moves the experiment along a transition (section 5)', async () => {
    const [transitions, skip, move] = blocks(5);
    const allowed = ['segmenting', 'rejected'].map((label) => ({ destination_state: { label }, allowed: true }));
    expect(await run(transitions)).toMatchObject([{ transitions: allowed }]);
    expect(await run(skip)).toMatchObject([{ error: { status: 409, code: 'no_transition', transitions: allowed } }]);
    expect(await run(move)).toMatchObject([{ success: true }]);
  });

  it('runs the worker, which stops on Ctrl-C (section 6)', async () => {
    const worker = inShell(blocks(6).join(''));
    const errorOutput = text(worker.stderr);
    await expect.poll(() => run(blocks(4)[1])).toMatchObject([{ state: { label: 'done' } }]);
    await signalGroup(worker, 'SIGINT');
    expect((await errorOutput).trim()).toMatch(/KeyboardInterrupt$/);
  });

  it('shows the result (section 7)', async () => {
    const [experiment, lists] = blocks(7);
    expect(await run(experiment)).toMatchObject([{ state: { label: 'done' }, variable_map: { volume: 1482.5 } }]);
    const [{ actions }, { attempts }] = (await run(lists)) as [{ actions: unknown[] }, { attempts: unknown[] }];
    expect(actions).toHaveLength(4);
    expect(attempts).toMatchObject([{ worker: 'cluster', error: null, log: expect.stringContaining('Working for') }]);
  });

  it('stops on Ctrl-C and keeps the data (section 7)', async () => {
    expect(await signalGroup(dev.child, 'SIGINT')).toBe(0);
    await access(join(folder.path, 'first-study-data'));
  });
});
