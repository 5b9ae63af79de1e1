/** The steps of the container test. Each prints what it found. Durations are printed, but not judged. */
import { connect, createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { withClient } from '../../../packages/server/testing/postgres-server.ts';
import { sendJson, startWebServer } from '../../../packages/server/testing/counterparts/web-server.ts';
import { createStudy, countDone, startLoad } from '../../restore/load.ts';
import { until } from '../../restore/until.ts';
import { startReaders } from '../../upgrade/readers.ts';
import type { Containers } from './podman.ts';
import { podman } from './podman.ts';
import { runDemo } from './run-demo.ts';
import { tryRestore } from './try-restore.ts';

export interface Trial {
  containers: Containers;
  /** Of the proxy. */
  origin: string;
  /** The database, as the superuser. */
  databaseUrl: string;
  check: (passed: boolean, text: string) => void;
  log: (text: string) => void;
  /** Makes a port of this machine reachable for containers, and returns its address there. */
  expose: (origin: string) => Promise<string>;
}

interface Findings {
  failed: number;
  warning: number;
}

const started = performance.now();
const seconds = (from: number) => ((performance.now() - from) / 1000).toFixed(1);
const log = (text: string) => console.log(`${seconds(started).padStart(6)} s  ${text}`);

/** `first` has the image that is started, `current` the one that replaces it. */
export async function tryCompose(
  first: Containers,
  current: Containers,
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  let failed = 0;
  const check = (passed: boolean, text: string) => {
    log(`${passed ? 'ok' : 'FAILED'}: ${text}`);
    if (!passed) failed++;
  };
  const forwarders: Server[] = [];
  const expose = async (origin: string) => {
    const server = createServer((socket) => {
      const to = connect(Number(new URL(origin).port), '127.0.0.1');
      socket.pipe(to).pipe(socket);
      for (const one of [socket, to]) one.on('error', () => [socket, to].map((end) => end.destroy()));
    });
    await once(server.listen(0, '0.0.0.0'), 'listening');
    forwarders.push(server);
    const address = server.address();
    return `http://${first.inside(1)}:${typeof address === 'object' ? address?.port : ''}`;
  };
  try {
    await startAll(first);
    const trial: Trial = {
      containers: first,
      origin: `https://${first.address('proxy')}`,
      databaseUrl: await superuserUrl(first),
      check,
      log,
      expose,
    };
    await checkProxy(trial);
    await checkConfinement(trial);
    await runDemo(trial);
    await replaceUnderLoad(trial, current);
    await tryRestore({ ...trial, containers: current }, variables);
  } finally {
    for (const server of forwarders) server.close();
  }
  return failed;
}

async function startAll(containers: Containers): Promise<void> {
  await containers.createNetwork();
  for (const name of Object.keys(containers.compose.services)) {
    const from = performance.now();
    await containers.start(name);
    if (name === 'server' || name === 'worker') await containers.healthy(name);
    log(`started ${name} after ${seconds(from)} s`);
  }
}

async function superuserUrl(containers: Containers): Promise<string> {
  const secret = await containers.exec('database', 'cat', '/run/secrets/superuser-password');
  return `postgresql://postgres:${secret}@${containers.address('database')}:5432/milepost`;
}

async function checkProxy({ containers, origin, check }: Trial): Promise<void> {
  const file = '/data/caddy/pki/authorities/local/root.crt';
  let certificate = '';
  await until(async () => (certificate = await containers.exec('proxy', 'cat', file).catch(() => '')) !== '');
  setDefaultCACertificates([...getCACertificates('default'), certificate]);
  const statusOf = (path: string) => fetch(origin + path).then(({ status }) => status, String);
  await until(async () => (await statusOf('/-/ready')) === 200);
  check((await statusOf('/-/ready')) === 200, `${origin}/-/ready responds with a certificate of Caddy's own authority`);
  const plain = await fetch(origin.replace('https', 'http'), { redirect: 'manual' });
  check(plain.status === 308, `http redirects: ${plain.status}`);
  check(await fetch(`${origin}/`).then(async (page) => (await page.text()).includes('<html')), 'the pages are served');
}

/** What a compromised process could do. */
async function checkConfinement({ containers, check }: Trial): Promise<void> {
  for (const name of ['server', 'worker']) {
    const status = await containers.exec(name, 'cat', '/proc/1/status');
    const of = (field: string) => new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(status)?.[1];
    check(of('Uid') === '10001' && of('Gid') === '10001', `${name} runs as ${of('Uid')}:${of('Gid')}`);
    check(/^0+$/.test(of('CapEff') ?? '') && of('NoNewPrivs') === '1', `${name} has no capabilities and can gain none`);
    const written = await containers
      .exec(name, 'touch', '/usr/local/x', '/var/lib/milepost/x')
      .then(() => true, String);
    check(String(written).includes('Read-only file system'), `${name} cannot write to its file system`);
    const secrets = await containers.exec(name, 'ls', '/run/secrets');
    check(!secrets.includes('owner'), `${name} has the secrets ${secrets.split('\n').join(', ')}`);
  }
  const programs = await containers.exec('server', 'ls', '/usr/local/bin');
  check(programs === 'milepost\nnode', `added programs: ${programs.split('\n').join(', ')}`);
  // It warns that this machine does not know Caddy's authority.
  const { failed, warning } = JSON.parse(await containers.exec('server', 'milepost', 'doctor', '--json')) as Findings;
  check(failed === 0, `milepost doctor: ${failed} failed, ${warning} warnings`);
}

async function replaceUnderLoad(
  { containers: first, origin, databaseUrl, check, log: note, expose }: Trial,
  current: Containers,
) {
  const baseUrl = `${origin}/api/v2`;
  const receiver = await startWebServer((request, response) => {
    request.resume();
    sendJson(response, 200, {});
  });
  const ids = await createStudy(baseUrl, await expose(receiver.origin), 6);
  const [load, readers] = [startLoad(baseUrl, ids), startReaders(baseUrl, ids)];
  const more = async (phase: string) => {
    const before = countDone(load);
    await until(() => countDone(load) > before + 100);
    check(countDone(load) > before + 100, `${phase}: ${countDone(load) - before} moves`);
  };
  const failures = () => [
    ...load.moves.filter(({ status = 200 }) => status !== 200 && status !== 409).map(({ status }) => `move: ${status}`),
    ...readers.failed,
  ];
  await more('before the replacement');
  for (const name of ['migrate', 'server', 'worker']) {
    const from = performance.now();
    if (name !== 'migrate') {
      await first.stop(name);
      const code = await first.exitCode(name);
      check(code === 0, `${name} ended with ${code} after SIGTERM under load, ${seconds(from)} s`);
    }
    await first.remove(name);
    await current.start(name);
    if (name !== 'migrate') await current.healthy(name);
    note(`replaced ${name} in ${seconds(from)} s`);
  }
  await more('after the replacement');
  const total = load.moves.length + readers.count();
  check(failures().length === 0, `${total} requests, ${failures().length} failed ${failures().slice(0, 5).join(', ')}`);
  const before = failures().length;
  for (const name of ['server', 'worker']) await killed(current, name, check);
  await more('after kill -9');
  note(`${failures().length - before} requests failed when the server was killed`);
  await Promise.all([load.stop(), readers.stop()]);
  const open = () =>
    withClient(databaseUrl, async (client) => {
      const text = `select 1 from callback_executions join actions on actions.id = action_id
        where actions.experiment_id = any($1) and callback_executions.status in ('created', 'queued', 'running')`;
      return (await client.query(text, [ids])).rowCount ?? 0;
    });
  await until(async () => (await open()) === 0);
  check((await open()) === 0, 'all runs of killed containers finished');
  await receiver.stop();
}

/** Kills the process in the container, as the system does when memory runs out. */
async function killed(containers: Containers, name: string, check: Trial['check']): Promise<void> {
  const inspect = (format: string) => podman('inspect', '--format', format, containers.name(name));
  const pid = Number(await inspect('{{.State.Pid}}'));
  process.kill(pid, 'SIGKILL');
  const isRestarted = async () => ![0, pid].includes(Number(await inspect('{{.State.Pid}}').catch(() => '0')));
  await until(isRestarted);
  check(await isRestarted(), `${name} is restarted after kill -9`);
  await containers.healthy(name);
}
