/** Callbacks of a real workflow that try to reach forbidden hosts or to outlive their timeout, in a real worker. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLifeline, type Lifeline } from '../../testing/counterparts/lifeline.ts';
import { createPrograms } from '../../testing/counterparts/programs.ts';
import { startWebServer, type WebServer } from '../../testing/counterparts/web-server.ts';
import { createEngineWorld, type EngineWorld } from '../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { startWorkerProcess, type WorkerProcess } from '../../testing/processes/worker-process.ts';

const programs = createPrograms();
let [server, world] = [undefined, undefined] as unknown as [TestServer, EngineWorld];
let [allowed, other] = [undefined, undefined] as unknown as [WebServer, WebServer];
let [worker, line] = [undefined, undefined] as unknown as [WorkerProcess, Lifeline];
let ipv6Server: Server | undefined;
let ipv6Connections = 0;

/** Listens on the allowed port at the IPv6 loopback address; undefined if the machine has none. */
async function listenOnIpv6(port: number): Promise<Server | undefined> {
  const listener = createServer((socket) => {
    ipv6Connections += 1;
    socket.destroy();
  });
  try {
    await once(listener.listen(port, '::1'), 'listening');
    return listener;
  } catch {
    return undefined;
  }
}

beforeAll(async () => {
  [server, allowed, other, line] = await Promise.all([
    startTestServer(),
    startWebServer(),
    startWebServer(),
    createLifeline(),
  ]);
  ipv6Server = await listenOnIpv6(allowed.port);
  world = createEngineWorld(server);
  const grandchild = programs.node('grandchild', line.script);
  programs.shell('family', `"${grandchild}" & "${grandchild}" & wait`);
  programs.shell('environment', 'env; cat /proc/self/environ');
  worker = await startWorkerProcess({
    DATABASE_URL: server.testDatabase.databaseUrl,
    MILEPOST_SMTP_URL: 'smtp://me:s3cret-of-mail@127.0.0.1:9',
    MILEPOST_MAIL_FROM: 'milepost@example.org',
    MILEPOST_OUTGOING_ALLOW: allowed.origin,
    MILEPOST_COMMANDS: [...programs.names].map(([name, path]) => `${name}=${path}`).join(','),
  });
});
afterAll(async () => {
  await worker.stop();
  await Promise.all([allowed, other, line, server].map((one) => one.stop()));
  ipv6Server?.close();
  programs.remove();
});

const states = (callback: string) => `states:
  - label: run
    callbacks: [{label: c, ${callback}}]
    transitions:
      - {destination: good, condition: "callbacks['c'].result == 'success'", by: engine}
      - {destination: bad, condition: "callbacks['c'].result == 'failed'", by: engine}
  - {label: good}
  - {label: bad}
`;
const calling = (url: string) =>
  states(`function: http, callback_arguments: {url: ${JSON.stringify(url)}, method: GET}`);
const ends = async (id: number, label: string) => {
  await expect.poll(() => world.stateOf(id), { interval: 50 }).toBe(label);
};
const executionOf = async (id: number) =>
  (await server.call('getCallbackExecution', { params: { id: (await world.executionOf(id, 'c')).id } })).body;

describe('a workflow', () => {
  it('reaches the allowed host and port', async () => {
    const before = allowed.connections();
    await ends(await world.experimentIn(calling(`${allowed.origin}/text`)), 'good');
    expect(allowed.connections()).toBe(before + 1);
  });

  it('cannot reach a host or port that is not allowed, however the URL is written', async () => {
    const [A, B] = [allowed.port, other.port];
    const hostile = [
      `http://127.0.0.1:${B}/`,
      `http://2130706433:${B}/`,
      `http://0x7f000001:${B}/`,
      `http://[::ffff:127.0.0.1]:${B}/`,
      `http://[::1]:${A}/`,
      `http://localhost:${A}/`,
      `http://127.0.0.1:${A}@127.0.0.1:${B}/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://[fd00:ec2::254]/latest/meta-data/',
      'http://100.100.100.200/latest/meta-data/',
      'http://metadata.google.internal/computeMetadata/v1/',
      'file:///etc/passwd',
    ];
    const before = [allowed.connections(), other.connections(), ipv6Connections];
    for (const id of await Promise.all(hostile.map((url) => world.experimentIn(calling(url))))) {
      await ends(id, 'bad');
      const { attempt, last_error: error } = await executionOf(id);
      expect([attempt, error]).toEqual([1, expect.stringMatching(/not allowed|cannot be used/)]);
    }
    expect([allowed.connections(), other.connections(), ipv6Connections]).toEqual(before);
  });

  it('does not follow redirects to another host', async () => {
    const before = other.connections();
    const id = await world.experimentIn(calling(`${allowed.origin}/redirect?to=${other.origin}/`));
    await ends(id, 'bad');
    expect(other.connections()).toBe(before);
  });
});

describe('a command', () => {
  it('is stopped after its run_timeout, with all processes that it started', async () => {
    const id = await world.experimentIn(
      states('function: command, callback_arguments: {binary: family}, run_timeout: 5'),
    );
    await expect.poll(line.alive, { interval: 20 }).toBe(2);
    const { id: execution } = await world.executionOf(id, 'c');
    await server.sql(`update callback_executions set deadline = now() - interval '1 second' where id = $1`, [
      execution,
    ]);
    await expect.poll(line.alive, { interval: 50 }).toBe(0);
    expect((await executionOf(id)).result).toBe('timeout');
  });

  it('has no Milepost secrets in its environment', async () => {
    const id = await world.experimentIn(
      states('function: command, callback_arguments: {binary: environment}, expected_return_code: null'),
    );
    await expect.poll(async () => (await executionOf(id)).status).toBe('finished');
    const { stdout } = (await executionOf(id)).result_values;
    expect(stdout).toContain('MILEPOST_EXECUTION_URI');
    expect(stdout).not.toMatch(/s3cret-of-mail|DATABASE_URL|SMTP|postgresql:/);
  });
});
