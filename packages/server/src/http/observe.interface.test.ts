/** The metrics of a server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Blocks the event loop, which the test shares with the server. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

async function longestDelay(): Promise<number> {
  const text = await server.metrics.getSingleMetricAsString('milepost_event_loop_delay_seconds');
  return Number(/^milepost_event_loop_delay_seconds (.*)$/m.exec(text)?.[1]);
}

describe('milepost_event_loop_delay_seconds', () => {
  it('reports a delay of the event loop once', async () => {
    await longestDelay();
    block(400);
    const longest = await longestDelay();
    expect(longest).toBeGreaterThan(0);
    // If the maximum were not reset, this would be the same number, to the nanosecond.
    expect(await longestDelay()).not.toBe(longest);
  });

  it('reports the length of the delay', { tags: ['nightly'] }, async () => {
    await longestDelay();
    block(400);
    const longest = await longestDelay();
    expect(longest).toBeGreaterThanOrEqual(0.38);
    expect(longest).toBeLessThan(0.6);
    expect(await longestDelay()).toBeLessThan(0.2);
  });

  it('reports delays right before and right after a scrape', { tags: ['nightly'] }, async () => {
    await longestDelay();
    // Right after one scrape and right before the next, within one turn of the event loop.
    block(300);
    expect(await longestDelay()).toBeGreaterThanOrEqual(0.28);
    const reading = longestDelay();
    block(300);
    expect(Math.max(await reading, await longestDelay())).toBeGreaterThanOrEqual(0.28);
  });
});
