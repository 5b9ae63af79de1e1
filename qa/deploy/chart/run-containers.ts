/**
 * Runs each container of the chart by podman as it is rendered: command, account, environment, volumes and probes. Needs root and an
 * image. `qa/deploy/try-chart` starts it in a network of its own, where the containers and PostgreSQL cannot meet other programs on the same
 * ports.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { createCheckpointKey } from '../../../packages/server/src/chain/checkpoint-key.ts';
import { cloneDatabase, startTestPostgres } from '../../../packages/server/testing/postgres-server.ts';
import { until } from '../../faults/until.ts';
import {
  podOf,
  startContainer,
  type ContainerProbe,
  type Pod,
  type RenderedObject,
  type RunningContainer,
} from './container.ts';
import { render } from './render.ts';

const [image] = process.argv.slice(2);
if (image === undefined) throw new Error('Name an image.');

const [repository = '', tag = ''] = image.split(':');
const values = {
  'image.repository': repository,
  'image.tag': tag,
  publicUrl: 'http://127.0.0.1:8080',
  'secrets.MILEPOST_CHECKPOINT_KEY.name': 'milepost-key',
  'secrets.MILEPOST_ADMIN_PASSWORD.name': 'milepost-admin',
};
const rendered = render(Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`]));
const pods = new Map(
  parseAllDocuments(rendered).flatMap((document) => {
    const pod = podOf(document.toJS() as RenderedObject | null);
    return pod ? [[pod.spec.containers[0]?.name ?? '', pod] as const] : [];
  }),
);

const folder = await mkdtemp(join(tmpdir(), 'milepost-chart-'));
const { server: postgres, end } = await startTestPostgres();
const { databaseUrl, ownerUrl } = await cloneDatabase(postgres, { empty: true });
const secrets = {
  'milepost-database': { url: databaseUrl, 'owner-url': ownerUrl },
  'milepost-key': { 'checkpoint-key.pem': createCheckpointKey() },
  'milepost-admin': { password: 'violet harbour 31 kettles' },
};
const start = (name: string) => startContainer(pods.get(name) as Pod, { name, folder, secrets });
const running: RunningContainer[] = [];

try {
  await runToEnd('migrate');
  for (const name of ['server', 'worker']) {
    const container = await start(name);
    running.push(container);
    for (const probe of container.probes) await until(`${name}: ${probe.what}`, () => passes(container, probe), 500);
    console.log(`${name}: runs as ${container.account()}; ${container.probes.map(({ what }) => what).join(', ')}`);
  }
  await runToEnd('doctor');
  for (const container of running.splice(0)) expectCode(container, await container.stop());
} finally {
  for (const container of running) await container.stop();
  await end();
  await rm(folder, { recursive: true, force: true });
}
process.exit();

async function runToEnd(name: string): Promise<void> {
  const container = await start(name);
  expectCode(container, await container.ended);
}

/** A container that has ended passes no probe. */
function passes({ name, hasEnded, output }: RunningContainer, { succeeds }: ContainerProbe): Promise<boolean> {
  if (hasEnded()) throw new Error(`${name} ended:\n${output()}`);
  return succeeds();
}

function expectCode({ name, output }: RunningContainer, code: number | null): void {
  console.log(`${name}: exit code ${code}\n${output().trimEnd().replaceAll(/^/gm, '  ')}`);
  if (code !== 0) process.exitCode = 1;
}
