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

const secondsSince = (moment: number) => (performance.now() - moment) / 1000;
/** Delays are told in steps; half of what is held up is far more than one of them. */
const resolution = 0.2;

async function longestDelay(): Promise<number> {
  const text = await server.metrics.getSingleMetricAsString('milepost_event_loop_delay_seconds');
  return Number(/^milepost_event_loop_delay_seconds (.*)$/m.exec(text)?.[1]);
}

describe('milepost_event_loop_delay_seconds', () => {
  it('shows how long the event loop was held up, until it was read', async () => {
    const begun = performance.now();
    await longestDelay();
    holdUp(400);
    const held = performance.now();
    const longest = await longestDelay();
    expect(longest).toBeGreaterThanOrEqual(0.38);
    expect(longest).toBeLessThanOrEqual(secondsSince(begun));
    // What was read is not told again: nothing since then can have taken longer than that is ago.
    expect(await longestDelay()).toBeLessThanOrEqual(secondsSince(held) + resolution);
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
