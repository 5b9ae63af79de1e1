/** The metrics port: a metric that cannot be read is reported, and neither crashes the process nor makes it unhealthy. */
import { Gauge, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { serveMetrics } from './serve-metrics.ts';

describe('the metrics port', () => {
  it('returns 500 while a metric cannot be read', async () => {
    const registry = new Registry();
    let broken = true;
    const name = 'milepost_broken';
    const collect = () => {
      if (broken) throw new Error('it cannot be read');
    };
    registry.registerMetric(new Gauge({ name, help: name, registers: [], collect }));
    const { url, stop } = await serveMetrics(registry, { host: '127.0.0.1', port: 0 }, 'MILEPOST_METRICS_PORT');
    expect((await fetch(url)).status).toBe(500);
    expect((await fetch(new URL('/-/healthy', url))).status).toBe(200);
    broken = false;
    expect(await (await fetch(url)).text()).toContain(name);
    await stop();
  });
});
