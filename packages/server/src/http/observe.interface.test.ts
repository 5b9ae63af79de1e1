/** The measurements that operators read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** The test runs in the same event loop as the server. A busy machine only makes it longer. */
function holdUp(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

async function longestDelay(): Promise<number> {
  const text = await server.metrics.getSingleMetricAsString('milepost_event_loop_delay_seconds');
  return Number(/^milepost_event_loop_delay_seconds (.*)$/m.exec(text)?.[1]);
}

describe('milepost_event_loop_delay_seconds', () => {
  it('shows a delay of the event loop once', async () => {
    await longestDelay();
    holdUp(400);
    const longest = await longestDelay();
    expect(longest).toBeGreaterThanOrEqual(0.38);
    // A maximum that were kept would be the same number, to the nanosecond.
    expect(await longestDelay()).not.toBe(longest);
  });

  it('shows no more than the delay', { tags: ['nightly'] }, async () => {
    await longestDelay();
    holdUp(400);
    expect(await longestDelay()).toBeLessThan(0.6);
    expect(await longestDelay()).toBeLessThan(0.2);
  });

  it('misses no delay around a reading', async () => {
    await longestDelay();
    // Right after one reading and right before the next, within one turn of the event loop.
    holdUp(300);
    expect(await longestDelay()).toBeGreaterThanOrEqual(0.28);
    const reading = longestDelay();
    holdUp(300);
    expect(Math.max(await reading, await longestDelay())).toBeGreaterThanOrEqual(0.28);
  });
});
