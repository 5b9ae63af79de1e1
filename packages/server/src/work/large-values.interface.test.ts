/** Built-in functions whose output is larger than the result values of a run can be, in a real worker. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrograms } from '../../testing/counterparts/programs.ts';
import { startWebServer, type WebServer } from '../../testing/counterparts/web-server.ts';
import { createEngineWorld, type EngineWorld } from '../../testing/engine-world.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { readConfig } from '../config.ts';
import { bytesOf } from '../engine/runs/fit-values.ts';
import { startWorker, type RunningWorker } from '../start-worker.ts';

const mebibyte = 1024 * 1024;
const mark = '\n[... cut here ...]\n';
const programs = createPrograms();
let [server, web, worker] = [undefined, undefined, undefined] as unknown as [TestServer, WebServer, RunningWorker];
let world: EngineWorld;

const bodies: Record<string, string> = {
  '/list': JSON.stringify({ usable: true, list: Array.from({ length: 262_130 }, () => 'x') }),
  '/escapes': JSON.stringify({ usable: true, text: '\u0001'.repeat(mebibyte / 6 - 100) }),
  '/long': JSON.stringify({ usable: true, text: 'x'.repeat(3 * mebibyte) }),
};

beforeAll(async () => {
  [server, web] = await Promise.all([
    startTestServer(),
    startWebServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(bodies[request.url ?? '']);
    }),
  ]);
  world = createEngineWorld(server);
  programs.node(
    'loud',
    `process.stdout.write('o'.repeat(3e6)); process.stderr.write('e'.repeat(3e6));
    console.log('\\n__VALUES__ = {"volume": 3.5}')`,
  );
  programs.node(
    'hostile',
    `console.log('__VALUES__ = ' + JSON.stringify({ volume: 3.5, list: Array(250000).fill('x') }))`,
  );
  worker = await startWorker(
    readConfig({
      DATABASE_URL: server.testDatabase.databaseUrl,
      MILEPOST_LOG_LEVEL: 'fatal',
      MILEPOST_PUBLIC_URL: server.origin,
      MILEPOST_WORKER_METRICS_PORT: '0',
      MILEPOST_OUTGOING_ALLOW: web.origin,
      MILEPOST_COMMANDS: [...programs.names].map(([name, path]) => `${name}=${path}`).join(','),
    }),
  );
});
afterAll(async () => {
  await worker.stop();
  await Promise.all([web.stop(), server.stop()]);
  programs.remove();
});

/** Runs a callback to its end and returns its execution and the variable that it sets. */
async function run(callback: string) {
  const id = await world.experimentIn(`states:
  - label: run
    callbacks: [{label: c, ${callback}}]
    transitions: [{destination: good, condition: "callbacks['c'].result == 'success'", by: engine}]
  - {label: good}
`);
  await expect.poll(() => world.stateOf(id), { interval: 50 }).toBe('good');
  const { id: execution } = await world.executionOf(id, 'c');
  const { body } = await server.call('getCallbackExecution', { params: { id: execution } });
  return { variables: await world.variablesOf(id), values: body.result_values, log: body.run_log as string };
}

const calling = (path: string) =>
  run(`function: http, callback_arguments: {url: "${web.origin}${path}"}, variable_map: {usable: /body/usable}`);

const starting = (binary: string) =>
  run(`function: command, callback_arguments: {binary: ${binary}}, variable_map: {volume: /values/volume}`);

describe('the result values of a run', () => {
  it('have the JSON of a response that fits', async () => {
    const { values, variables, log } = await calling('/escapes');
    expect(bytesOf(values)).toBeLessThanOrEqual(mebibyte);
    expect([variables, values.body]).toEqual([{ usable: true }, JSON.parse(bodies['/escapes'] ?? '')]);
    expect(log).not.toContain('was shortened');
  });

  it.each(['/list', '/long'])('have a JSON response that does not fit as cut text (%s)', async (path) => {
    const { values, variables, log } = await calling(path);
    expect(bytesOf(values)).toBeLessThanOrEqual(mebibyte);
    expect([values.status, variables]).toEqual([200, { usable: null }]);
    expect(values.body.startsWith('{"usable":true,')).toBe(true);
    expect(values.body).toContain(mark);
    expect(log).toContain('body was shortened: result values have at most 1048576 bytes.');
  });

  it('have cut output of a program, and the values that it printed', async () => {
    const { values, variables, log } = await starting('loud');
    expect(bytesOf(values)).toBeLessThanOrEqual(mebibyte);
    expect([values.return_code, variables]).toEqual([0, { volume: 3.5 }]);
    expect([values.stdout, values.stderr].map((text: string) => [text[0], text.includes(mark)])).toEqual([
      ['o', true],
      ['e', true],
    ]);
    expect(log).toContain('stdout was shortened');
  });

  it('have printed values that do not fit as cut text', async () => {
    const { values, variables, log } = await starting('hostile');
    expect(bytesOf(values)).toBeLessThanOrEqual(mebibyte);
    expect(variables).toEqual({ volume: null });
    expect(values.values).toContain(mark);
    expect(log).toContain('values was shortened: result values have at most 1048576 bytes.');
  });
});
