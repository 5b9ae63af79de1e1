/** `run logs -f` and `api GET /events`: what is printed while it grows. */
import { createServer, request as send } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reconcileLeases } from '../../../server/src/engine/runs/recover-lost-work.ts';
import { engineContext } from '../../../server/testing/engine-context.ts';
import { createEngineWorld, pulledWorkflow, type EngineWorld } from '../../../server/testing/engine-world.ts';
import { createShell, interrupt, type Shell } from '../../testing/run-milepost.ts';
import { startStudy, type Study } from '../../testing/study.ts';

let study: Study;
let shell: Shell;
let world: EngineWorld;
beforeAll(async () => {
  study = await startStudy();
  world = createEngineWorld(study.server);
  shell = await createShell(study.environment);
});
afterAll(async () => {
  await study.stop();
  await shell.remove();
});

interface Claim {
  id: number;
  secret: string;
}

let claim: Claim;
let queue: string;
let count = 0;
beforeEach(async () => {
  queue = `followed-${(count += 1)}`;
  await world.experimentIn(pulledWorkflow(queue));
  claim = await claimRun();
});

async function claimRun(): Promise<Claim> {
  const { body } = await study.server.call('claimExecutions', { body: { queues: [queue] } });
  return { id: body.claims[0].execution.id, secret: body.claims[0].secret };
}

const asWorker = (secret: string) => ({ as: null, headers: { authorization: `Bearer ${secret}` } });

const append = (log: string, { id, secret } = claim) =>
  study.server.call('renewClaim', { ...asWorker(secret), params: { execution_id: id }, body: { log } });

const finish = (run_log?: string) =>
  study.server.call('updateCallbackExecution', {
    ...asWorker(claim.secret),
    params: { id: claim.id },
    body: { status: 'finished', result: 'success', ...(run_log !== undefined && { run_log }) },
  });

async function loseWorker(): Promise<void> {
  await world.loseLease(claim.id);
  await reconcileLeases(engineContext(study.server, 'reconcile'));
  await world.skipPause(claim.id);
  claim = await claimRun();
}

const printedLogs = async () => {
  const { stdout, code } = await shell.run(`milepost run logs ${claim.id}`);
  expect(code).toBe(0);
  return stdout;
};

/** Counts the bytes of the logs that the server sends. */
async function countingProxy() {
  const counted = { bytes: 0 };
  const proxy = createServer(({ method = 'GET', url = '/', headers }, response) => {
    const onward = send(new URL(url, study.server.origin), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      if (url.includes('/attempts')) answer.on('data', (chunk: Buffer) => (counted.bytes += chunk.length));
      answer.pipe(response);
    });
    onward.end();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return { counted, url: `http://127.0.0.1:${port}`, close: () => proxy.close() };
}

/** Starts to follow the log, and collects what is printed. */
function follow(more: Record<string, string> = {}) {
  const child = shell.start(`milepost run logs ${claim.id} -f`, more);
  const printed = { text: '' };
  child.stdout.on('data', (chunk) => (printed.text += String(chunk)));
  const until = async (end: string) => {
    await expect.poll(() => printed.text.endsWith(end)).toBe(true);
  };
  return { child, until };
}

describe('milepost run logs -f', () => {
  it('prints new lines until the run has finished, and reads each line about once', async () => {
    const lines = `${'x'.repeat(99)}\n`.repeat(2000);
    await append(`${lines}é𝄞 1\n`);
    const proxy = await countingProxy();
    const { child, until } = follow({ MILEPOST_URL: proxy.url });
    for (const number of [1, 2, 3]) {
      await until(`𝄞 ${number}\n`);
      await append(`é𝄞 ${number + 1}\n`);
    }
    await until('𝄞 4\n');
    await finish();
    const { stdout, code } = await child.outcome;
    proxy.close();
    expect(code).toBe(0);
    expect(stdout).toBe(`${lines}é𝄞 1\né𝄞 2\né𝄞 3\né𝄞 4\n`);
    expect(proxy.counted.bytes).toBeLessThan(1.5 * lines.length);
  });

  it('continues after the server has cut the middle of the log', async () => {
    await append(`first\n${'x'.repeat(900_000)}\nhalf\n`);
    const { child, until } = follow();
    await until('half\n');
    await append(`${'y'.repeat(200_000)}\nlast\n`);
    await until('last\n');
    await append('after\n');
    await until('last\nafter\n');
    await finish();
    const { stdout } = await child.outcome;
    expect(stdout.match(/^(?:first|half|last|after|\[.*\])$/gm)).toEqual(['first', 'half', 'last', 'after']);
  });

  it('says where a part of the log is missing', async () => {
    await append(`first\n${'x'.repeat(600_000)}\nhalf\n`);
    const { child, until } = follow();
    await until('half\n');
    await append(`${'y'.repeat(600_000)}\nlast\n`);
    await until('last\n');
    await finish();
    const { stdout, stderr } = await child.outcome;
    expect(stdout.match(/^(?:first|half|last|\[.*\])$/gm)).toEqual(['first', 'half', '[... cut here ...]', 'last']);
    expect(stderr).toContain('The log was shortened. A part of it is missing here.');
  });
});

describe('milepost run logs', () => {
  it.each([
    ['', 'Series 1\nSeries 2\n', 'Series 1\nSeries 2\n'],
    ['Series 1\n', 'Series 1\nSeries 2\n', 'Series 1\nSeries 2\n'],
    ['Series 1\n', 'Series 2\n', 'Series 1\nSeries 2\n'],
    ['Series 1\n', undefined, 'Series 1\n'],
    ['ok\n', 'ok\nok\n', 'ok\nok\n'],
    ['failed\nok\n', 'ok\n', 'failed\nok\nok\n'],
  ])('after %j and the report of %j prints %j', async (sent, reported, expected) => {
    await append(sent);
    await finish(reported);
    expect(await printedLogs()).toBe(expected);
  });

  it('prints a line that a late report repeats', async () => {
    await append('ok\n');
    await finish();
    await finish('ok\n');
    expect(await printedLogs()).toBe('ok\nok\n');
  });

  it('prints the log of a run that a user reported before its first attempt', async () => {
    const experiment = await world.experimentIn(pulledWorkflow(`${queue}-unclaimed`));
    const { body } = await study.server.call('getExperimentTimeline', { params: { id: experiment } });
    const { id } = body.actions[0].executions[0];
    const logs = () => shell.run(`milepost run logs ${id}`);
    expect(await logs()).toEqual({ stdout: '', stderr: `Run ${id} has not started.\n`, code: 0 });
    const report = { status: 'finished', result: 'success', run_log: 'done by hand\n' };
    await study.server.call('updateCallbackExecution', { params: { id }, body: report });
    expect(await logs()).toEqual({ stdout: 'done by hand\n', stderr: '', code: 0 });
  });

  it('prints the lines of a lost attempt once, and those of the next one', async () => {
    await append('ok\n');
    await loseWorker();
    await append('ok\n');
    await finish();
    const lost = /^ok\nThe worker stopped sending heartbeats\.\nRetrying at .*Z\.\nok\n$/;
    expect(await printedLogs()).toMatch(lost);
  });

  it('prints the lines of a lost attempt once if the next one has no output', async () => {
    await append('ok\n');
    await loseWorker();
    await finish();
    expect(await printedLogs()).toMatch(/^ok\nThe worker stopped sending heartbeats\.\nRetrying at .*Z\.\n$/);
  });

  it('prints the lines of a lost attempt before those that the next one reports', async () => {
    await append('ok\n');
    await loseWorker();
    await append('ok\n');
    await finish('ok\nok\n');
    expect(await printedLogs()).toMatch(/^ok\nThe worker stopped .*\nRetrying at .*Z\.\nok\nok\n$/);
  });
});

describe('milepost api GET /events', () => {
  it('prints each event when it arrives', async () => {
    const child = shell.start('milepost api GET /events');
    const printed = { text: '' };
    child.stdout.on('data', (chunk) => (printed.text += String(chunk)));
    await expect.poll(() => printed.text).toContain('ready');
    await study.move('processed');
    await expect.poll(() => printed.text).toContain('setExperimentState');
    interrupt(child);
    await child.outcome;
  });
});
