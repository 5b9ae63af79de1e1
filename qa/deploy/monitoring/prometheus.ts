/** Debian's Prometheus with the committed rules, at a pace for tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { fromRoot } from '../../../tools/printed-file.ts';
import { until } from '../../faults/until.ts';

export interface Series {
  metric: Record<string, string>;
  value: [number, string];
}

export interface Prometheus {
  query: (expression: string) => Promise<Series[]>;
  /** The names of the alerts that fire. */
  firing: () => Promise<string[]>;
  stop: () => Promise<void>;
}

interface Rules {
  groups: { name: string; interval?: string; rules: { alert: string; for?: string }[] }[];
}

/** The committed rules, evaluated each second. Each still waits, but for seconds. Expressions and thresholds stay. */
export function hurry(rules: Rules): Rules {
  const groups = rules.groups.map((group) => ({
    ...group,
    interval: '1s',
    rules: group.rules.map((rule) => (rule.for === undefined ? rule : { ...rule, for: '2s' })),
  }));
  return { groups };
}

/** `metricsUrls` are of the processes to watch. */
export async function startPrometheus(metricsUrls: readonly string[]): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-prometheus-'));
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  await writeConfiguration(folder, metricsUrls);
  const flags = {
    'config.file': join(folder, 'prometheus.yaml'),
    'storage.tsdb.path': join(folder, 'data'),
    'web.listen-address': `127.0.0.1:${port}`,
    'log.level': 'error',
  };
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const child = spawn('prometheus', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error('Prometheus did not start.');
    return fetch(`${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await until('Prometheus is ready', isReady);
  const get = async <T>(path: string): Promise<T> =>
    ((await (await fetch(`${address}/api/v1/${path}`)).json()) as { data: T }).data;
  return {
    query: async (expression) =>
      (await get<{ result: Series[] }>(`query?query=${encodeURIComponent(expression)}`)).result,
    firing: async () => {
      const { alerts } = await get<{ alerts: { state: string; labels: { alertname: string } }[] }>('alerts');
      const names = alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
      return [...new Set(names)].toSorted();
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeConfiguration(folder: string, metricsUrls: readonly string[]): Promise<void> {
  const rules = parse(await readFile(fromRoot('deploy/prometheus/alerts.yaml'), 'utf8')) as Rules;
  await writeFile(join(folder, 'alerts.yaml'), stringify(hurry(rules)));
  const targets = metricsUrls.map((url) => new URL(url).host);
  await writeFile(
    join(folder, 'prometheus.yaml'),
    stringify({
      rule_files: ['alerts.yaml'],
      scrape_configs: [{ job_name: 'milepost', scrape_interval: '1s', static_configs: [{ targets }] }],
    }),
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
