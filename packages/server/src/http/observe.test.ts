/** The measurements that operators read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** The test runs in the same event loop as the server. */
function holdUp(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

async function longestDelay(): Promise<number> {
  const text = await server.metrics.getSingleMetricAsString('milepost_event_loop_delay_seconds');
  return Number(/^milepost_event_loop_delay_seconds (.*)$/m.exec(text)?.[1]);
}

describe('milepost_event_loop_delay_seconds', () => {
  it('shows how long the event loop was held up, until it was read', async () => {
    await longestDelay();
    holdUp(400);
    const longest = await longestDelay();
    expect(longest).toBeGreaterThanOrEqual(0.38);
    expect(longest).toBeLessThan(1);
    expect(await longestDelay()).toBeLessThan(0.2);
  });

  it('misses nothing that happens around a reading', async () => {
    await longestDelay();
    // Right after one reading and right before the next, within one turn of the event loop.
    holdUp(300);
    expect(await longestDelay()).toBeGreaterThanOrEqual(0.28);
    const reading = longestDelay();
    holdUp(300);
    expect(Math.max(await reading, await longestDelay())).toBeGreaterThanOrEqual(0.28);
  });
});
