/** Runs the workflow of the demo in the containers: the study is loaded through the proxy, and the worker calls the simulated systems. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCounterparts, startDemo } from '../../../packages/server/src/demo/start-demo.ts';
import { withClient } from '../../../packages/server/testing/postgres-server.ts';
import { fromRoot } from '../../../tools/printed-file.ts';
import { password } from '../../faults/testbed/settings.ts';
import { until } from '../../restore/until.ts';
import type { Trial } from './try-compose.ts';

const wanted = { runs: 40, callbacks: 5 };

export async function runDemo({ containers, origin, databaseUrl, check, expose }: Trial): Promise<void> {
  const counterparts = await startCounterparts();
  const systems: Record<string, string> = {};
  for (const [name, url] of Object.entries(counterparts.systems)) systems[name] = await expose(url);
  const complaints: string[] = [];
  const demo = await startDemo({
    baseUrl: `${origin}/api/v2`,
    systems,
    workflow: readFileSync(fromRoot('examples/brain-mri.yaml'), 'utf8'),
    folder: join(containers.folder, 'demo'),
    admin: { username: 'admin', password },
    log: (message) => complaints.push(message),
  });
  const count = () => countSuccesses(databaseUrl);
  const isEnough = async () => {
    const { runs, callbacks } = await count();
    return runs >= wanted.runs && callbacks >= wanted.callbacks;
  };
  await until(isEnough);
  const { runs, callbacks } = await count();
  const text = `demo: ${runs} successful runs of ${callbacks} callbacks. ${complaints.slice(0, 3).join(' ')}`;
  check(await isEnough(), text);
  await demo.stop();
  await counterparts.stop();
}

/** Of attempts that worked: loaded experiments have executions without attempts. */
const countSuccesses = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ runs: number; callbacks: number }>(
      `select count(*)::int as runs, count(distinct callback_executions.callback_id)::int as callbacks
       from callback_executions
       where result = 'success' and exists (select from execution_attempts where execution_id = callback_executions.id)`,
    );
    return rows[0] ?? { runs: 0, callbacks: 0 };
  });
