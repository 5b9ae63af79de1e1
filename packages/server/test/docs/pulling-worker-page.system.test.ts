/** The how-to guide about pulling workers shows the program file, and the program does what the guide says. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngineWorld, type EngineWorld } from '../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const guide = (name: string) => fileURLToPath(new URL(`../../../../docs/how-to/${name}`, import.meta.url));
const [source, program] = await Promise.all([
  readFile(guide('pulling-worker.md'), 'utf8'),
  readFile(guide('pulling_worker.py'), 'utf8'),
]);
/** Replaces the shell variable with a random password, as the shell does. */
const page = source.replaceAll(/'"\$cluster_password"'|\$cluster_password/g, randomBytes(24).toString('hex'));

const onPage = (pattern: RegExp) => pattern.exec(page)?.[1] ?? '';
const workflow = onPage(/```yaml\nlabel: .*\n([^]*?)```/);
const configuration = JSON.parse(onPage(/import-config" -d '([^']*)'/)) as { config_definition: string };
const [login, queue] = [onPage(/WORKER_LOGIN="([^"]*)"/), onPage(/\/api\/v2 (\w+)\n```/)];

let server: TestServer;
let world: EngineWorld;
let worker: ChildProcess;
let errorOutput = '';

beforeAll(async () => {
  await promisify(execFile)('python3', ['--version']).catch((error: unknown) => {
    throw new Error('python3 must be installed, on Debian with the package python3.', { cause: error });
  });
  server = await startTestServer();
  world = createEngineWorld(server);
  worker = spawn('python3', [guide('pulling_worker.py'), server.baseUrl, queue], {
    // Omits proxy settings, as a proxy cannot reach this server.
    env: { PATH: process.env['PATH'], WORKER_LOGIN: login },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  worker.stderr?.on('data', (chunk) => (errorOutput += String(chunk)));
});
afterAll(async () => {
  const ended = once(worker, 'exit');
  worker.kill();
  await ended;
  await server.stop();
});

const lasting = (seconds: number | string) => workflow.replace('seconds: 12', `seconds: ${seconds}`);
const executionOf = (experiment: number) => world.executionOf(experiment, 'segmentation');
const expectState = async (experiment: number, state: string): Promise<void> => {
  await expect.poll(() => world.stateOf(experiment)).toBe(state);
};

const attemptsOf = async (experiment: number) => {
  const { id } = await executionOf(experiment);
  return (await server.call('listExecutionAttempts', { params: { id } })).body.attempts;
};

describe('docs/how-to/pulling-worker.md', () => {
  it('shows the program file, which has at most 40 lines and needs only Python', () => {
    expect(onPage(/```python\n([^]*?)```/)).toBe(program);
    expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    const imports = [...program.matchAll(/^(?:import|from) (.*)$/gm)].map(([, names]) => names);
    expect(imports).toEqual(['base64, concurrent.futures, json, os, sys, threading, time, urllib.request']);
  });
});

describe('the worker in the guide', () => {
  it('continues after rejected requests and claims an execution', async () => {
    await expect.poll(() => errorOutput).toContain('POST /worker/claims HTTP Error 401');
    expect((await server.call('importConfig', { body: configuration })).status).toBe(201);
    const experiment = await world.experimentIn(lasting(0));
    await expectState(experiment, 'segmented');
    expect(await world.variablesOf(experiment)).toEqual({ volume: 1482.5 });
    expect(await attemptsOf(experiment)).toMatchObject([{ attempt: 1, worker: 'cluster', error: null }]);
  });

  it('renews its claim while it works, and stops when a report finishes the execution', async () => {
    const endless = await world.experimentIn(lasting(3600));
    // A renewal of the claim also sends the log.
    const running = async () => (await attemptsOf(endless))[0];
    await expect.poll(running).toMatchObject({ log: expect.stringContaining('Working for'), ended_at: null });
    expect((await executionOf(endless)).status).toBe('running');
    await world.finish((await executionOf(endless)).id, 'failed');
    await expectState(await world.experimentIn(lasting(0)), 'segmented');
  });

  it('reports an error as a failed result with a log', async () => {
    const broken = await world.experimentIn(lasting('soon'));
    await expectState(broken, 'failed');
    const { id } = await executionOf(broken);
    const { body } = await server.call('getCallbackExecution', { params: { id }, fields: 'result,result_log' });
    expect(body).toMatchObject({ result: 'failed', result_log: expect.stringContaining('TypeError') });
  });
});
