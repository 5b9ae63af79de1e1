/** The import of the largest definition that is promised: in time, and without holding up anybody else. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const largeFile = (label: string, waitMinutes: number): string => {
  const states = Array.from({ length: 200 }, (_, index) => {
    const transitions = Array.from({ length: 10 }, (_unused, way) => {
      const condition = `callbacks['c'].result == 'success' && experiment.variables['v${way}'] == ${way}`;
      return `      - {destination: s${(index + way + 1) % 200}, condition: "${condition}"}\n`;
    });
    const callback = `      - {label: c, function: http, callback_arguments: {n: ${index}}, wait_timeout: ${waitMinutes}}\n`;
    return `  - label: s${index}\n    callbacks:\n${callback}    transitions:\n${transitions.join('')}`;
  });
  return `label: ${label}\ninitial: s0\nstates:\n${states.join('')}`;
};

/** The longest that the event loop of this process, which is the server's, stood still meanwhile. */
async function timed(work: () => Promise<void>): Promise<{ seconds: number; longestMs: number }> {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const started = performance.now();
  await work();
  delays.disable();
  return { seconds: (performance.now() - started) / 1000, longestMs: delays.max / 1e6 };
}

const imports: [string, number][] = [
  [largeFile('large', 5), 201],
  [largeFile('large', 5), 200],
  [largeFile('large', 6).replaceAll('== 3', '== 4'), 200],
];

/** Others at work on the same machine only ever add to a time, so the best of some rounds is the measure. */
async function bestOf(rounds: number): Promise<{ seconds: number; longestMs: number }[]> {
  const best = imports.map(() => ({ seconds: Infinity, longestMs: Infinity }));
  for (let round = 0; round < rounds; round++) {
    for (const [index, [file, expected]] of imports.entries()) {
      const workflow_definition = file.replace('label: large', `label: large ${round}`);
      const { seconds, longestMs } = await timed(async () => {
        expect((await server.call('importWorkflow', { body: { workflow_definition } })).status).toBe(expected);
      });
      const known = best[index];
      best[index] = {
        seconds: Math.min(known?.seconds ?? Infinity, seconds),
        longestMs: Math.min(known?.longestMs ?? Infinity, longestMs),
      };
    }
  }
  return best;
}

it('200 states and 2,000 transitions are imported, again and changed, in under 2 s each, and nobody waits over 50 ms', async () => {
  const best = await bestOf(3);
  for (const { seconds, longestMs } of best) {
    expect(seconds).toBeLessThan(2);
    expect(longestMs).toBeLessThan(50);
  }
  const [count] = await server.sql(
    `select count(*)::int as transitions, (select max(current_version) from callbacks) as version
     from transitions where kind = 'defined'`,
  );
  expect(count).toEqual({ transitions: 3 * 2000, version: 2 });
}, 120_000);
