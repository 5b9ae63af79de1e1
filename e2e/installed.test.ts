/** The package in an empty folder: `npx milepost dev --demo` and what it shows, `npx milepost doctor`, and Ctrl-C. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { basic, createClient, type Client } from '@milepost/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signalGroup, startDev, type DevFolder, type StartedDev } from '../packages/milepost/testing/dev-process.ts';
import { installMilepost } from './install.ts';

const npx = ['npx', '--no-install', 'milepost'] as const;
const withinAMinute = { interval: 250, timeout: 60_000 };

let folder: DevFolder;
let dev: StartedDev;
let url: string;
/** As the coordinator whom the demo announces. */
let client: Client;

const announced = (pattern: RegExp) => pattern.exec(dev.said)?.[1] ?? '';

beforeAll(async () => {
  folder = await installMilepost();
  dev = await startDev(folder.path, /Username: coordinator/, ['--demo'], { command: npx });
  url = announced(/serves at (\S+)/);
  const authorization = basic('coordinator', announced(/coordinator {2}Password: (\S+)/));
  client = createClient({ baseUrl: `${url}/api/v2`, authorization });
});
afterAll(() => folder?.remove());

it('the demo moves within a minute: experiments leave the state that they arrived in', async () => {
  const arrived = new Set<number>();
  const moved = async () => {
    const { experiments } = await client.listExperiments({ query: { state: 'arrived', limit: 20 } });
    for (const { id } of experiments) arrived.add(id);
    const states = await Promise.all([...arrived].map((id) => client.getExperimentState({ params: { id } })));
    return states.filter(({ state }) => state.label !== 'arrived').length;
  };
  await expect.poll(moved, withinAMinute).toBeGreaterThan(0);
});

const read = (...path: string[]) => readFileSync(join(folder.path, 'milepost-data', ...path), 'utf8');

/** PostgreSQL notes its port in the fourth line. */
function databaseUrl(): string {
  const port = read('data', 'postmaster.pid').split('\n')[3];
  return `postgresql://milepost_app:${read('password')}@127.0.0.1:${port}/milepost`;
}

it('milepost doctor finds it fit', () => {
  const settings = { DATABASE_URL: databaseUrl(), MILEPOST_PUBLIC_URL: url };
  const [program, ...flags] = npx;
  const { PATH, HOME } = process.env;
  const { stdout, stderr, status } = spawnSync(program, [...flags, 'doctor'], {
    cwd: folder.path,
    env: { PATH, HOME, ...settings },
    encoding: 'utf8',
  });
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ', 1)[0]),
  ).toEqual(Array.from({ length: 9 }, () => 'ok'));
  expect(stderr).toContain('Everything is as it should be.');
  expect(status).toBe(0);
});

it('Ctrl-C ends all of it within seconds', async () => {
  const started = performance.now();
  await signalGroup(dev.child, 'SIGINT');
  // npx may be gone before what it started.
  const note = join(folder.path, 'milepost-data', 'data', 'postmaster.pid');
  await expect.poll(() => existsSync(note), withinAMinute).toBe(false);
  expect(performance.now() - started).toBeLessThan(20_000);
  await expect(fetch(`${url}/-/healthy`)).rejects.toThrow('fetch failed');
});
