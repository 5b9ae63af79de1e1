/** Runs the demo, and asks Prometheus for every panel of the dashboard. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot } from '../../../tools/printed-file.ts';
import { until } from '../../faults/until.ts';
import { startPrometheus, type Prometheus } from './prometheus.ts';

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
}

interface PanelQuery {
  panel: string;
  /** As Grafana sends it. */
  expression: string;
}

export function queriesOf({ panels }: Dashboard): PanelQuery[] {
  return panels.flatMap(({ title: panel, targets = [] }) =>
    targets.map(({ expr }) => ({
      panel,
      expression: expr.replaceAll('$job', 'milepost').replaceAll('$__rate_interval', '1m'),
    })),
  );
}

export const metricsOf = (expression: string): string[] => [
  ...new Set(Array.from(expression.matchAll(/\b(?:milepost|process|nodejs)_\w+|\bup(?=\{)/g), ([name]) => name)),
];

/** Returns what is wrong with the queries. */
export async function checkDashboard(): Promise<string[]> {
  const queries = queriesOf(JSON.parse(await readFile(fromRoot('deploy/grafana/milepost.json'), 'utf8')) as Dashboard);
  const demo = await startDemo();
  const prometheus = await startPrometheus(demo.metricsUrls);
  try {
    // All of the demo's traffic is there when experiments have moved in two scrapes.
    await until('experiments of the demo move', () => hasData(prometheus, 'sum(rate(milepost_moves_total[1m])) > 0'));
    const faults: string[] = [];
    for (const query of queries) faults.push(...(await faultsOf(prometheus, query)));
    console.log(`Dashboard: ${queries.length} queries, ${queries.length - faults.length} return data.`);
    return faults;
  } finally {
    await prometheus.stop();
    await demo.stop();
  }
}

/** A fallback such as `or vector(0)` must not hide a metric that does not exist. */
async function faultsOf(prometheus: Prometheus, { panel, expression }: PanelQuery): Promise<string[]> {
  const unknown: string[] = [];
  for (const name of metricsOf(expression)) if (!(await hasData(prometheus, name))) unknown.push(name);
  if (unknown.length > 0) return [`${panel}: no series ${unknown.join(', ')}`];
  return (await hasData(prometheus, expression)) ? [] : [`${panel}: no data for ${expression}`];
}

const hasData = async ({ query }: Prometheus, expression: string): Promise<boolean> =>
  (await query(expression)).some(({ value }) => value[1] !== 'NaN');

interface Demo {
  metricsUrls: readonly string[];
  stop: () => Promise<void>;
}

async function startDemo(): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-demo-'));
  // As root, PostgreSQL runs under another account.
  await chmod(folder, 0o755);
  const program = fromRoot('packages/milepost/src/milepost.ts');
  const words = ['dev', '--demo', '--port', '0', '--no-open', '--data', join(folder, 'data')];
  const child = spawn(process.execPath, ['--conditions=source', program, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const metricsUrls = () => Array.from(output.matchAll(/metrics at (\S+)\)/g), ([, url = '']) => url);
  await until('the demo runs', () => {
    if (child.exitCode !== null) throw new Error(`The demo did not start:\n${output}`);
    return output.includes('The demo is running') && metricsUrls().length === 2;
  });
  return {
    metricsUrls: metricsUrls(),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
