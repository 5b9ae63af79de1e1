/** Failures of the server, the network, the output and the user: exit code and message. */
import { createServer, type Server } from 'node:http';
import { connect, createServer as createRelay, type AddressInfo } from 'node:net';
import { chmod, readFile, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPassword } from '../../server/testing/server.ts';
import { createTestToken, expireToken } from '../../server/testing/tokens.ts';
import { createShell, interrupt, type Shell } from '../testing/run-milepost.ts';
import { startStudy, type Study } from '../testing/study.ts';

let study: Study;
let shell: Shell;
beforeAll(async () => {
  study = await startStudy();
  shell = await createShell(study.environment);
  await shell.write('password', `${testPassword}\n`);
});
afterAll(async () => {
  await study.stop();
  await shell.remove();
});

async function listening(server: Server | ReturnType<typeof createRelay>): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The address of a port at which nothing listens. */
async function freePort(): Promise<string> {
  const server = createServer();
  const url = await listening(server);
  server.close();
  await once(server, 'close');
  return url;
}

describe('a command', () => {
  it('exits with 6 and names the reason if nothing listens at the address', async () => {
    const { stdout, stderr, code } = await shell.run('milepost cohort list', { MILEPOST_URL: await freePort() });
    expect([stdout, code]).toEqual(['', 6]);
    expect(stderr).toMatch(/^Error: Cannot reach the server: the connection was refused\.\nCheck the address/);
  });

  it('exits with 6 if the network is cut within a list, and does not end the JSON', async () => {
    const { port } = new URL(study.server.origin);
    const relay = createRelay((socket) => {
      const upstream = connect(Number(port), '127.0.0.1');
      socket.pipe(upstream);
      upstream.once('data', (chunk: Buffer) => {
        // The headers and a part of the body.
        socket.end(chunk.subarray(0, chunk.length - 20), () => socket.destroy());
        upstream.destroy();
      });
      for (const end of [socket, upstream]) end.on('error', () => undefined);
    });
    const url = await listening(relay);
    const { stderr, code } = await shell.run('milepost experiment list -o json', { MILEPOST_URL: url });
    relay.close();
    expect(code).toBe(6);
    expect(stderr).toMatch(/^Error: Cannot reach the server: the connection was cut\./);
  });

  it('exits with 6 and says when to try again on a 503', async () => {
    const proxy = createServer((_, response) => {
      response.writeHead(503, { 'retry-after': '30' }).end('maintenance');
    });
    const url = await listening(proxy);
    const { stderr, code } = await shell.run('milepost whoami', { MILEPOST_URL: url });
    proxy.close();
    expect(stderr).toBe(
      'Error: 503 Service Unavailable\nTry again in 30 s. If it persists, ask the operator of the server.\n',
    );
    expect(code).toBe(6);
  });

  it('exits with 3 and says how to sign in if the token has expired', async () => {
    const { id, token } = await createTestToken(study.server, { id: 1, username: 'admin' }, ['user_read']);
    await expireToken(study.server, id);
    const { stdout, stderr, code } = await shell.run('milepost cohort list', { MILEPOST_TOKEN: token });
    expect([stdout, code]).toEqual(['', 3]);
    expect(stderr).toMatch(/expired at .*\nSign in with `milepost login`, or set MILEPOST_TOKEN\.\n$/);
  });

  it.each([
    ['milepost experiment get nothing', 4, 'No experiment has the label `nothing`.'],
    ['milepost cohort get nothing', 4, 'No cohort "nothing".'],
    ['milepost experiment move MC-0041-baseline done', 5, 'Possible now: processed.'],
    ['milepost cohort create memory-clinic', 5, 'Another cohort has this label.'],
    ['milepost experiment list state:arived', 1, 'Did you mean'],
    ['milepost experiment lst', 2, 'Did you mean `milepost experiment list`?'],
    ['milepost experiment list -o jso', 2, 'Did you mean json?'],
    ['milepost experiment place MC-0041-baseline arrived', 2, '--reason is required.'],
    ['milepost bulk move processed --query state:arrived', 2, 'Add --yes to confirm.'],
    ['milepost cohort list --context other', 2, 'There is no context `other`.'],
    ['milepost import many.csv --cohort memory-clinic', 2, 'Add --yes to confirm.'],
    ['milepost import missing.csv --cohort memory-clinic --yes', 1, 'No file `missing.csv`.'],
    ['milepost workflow plan missing.yaml', 1, 'No file `missing.yaml`.'],
    ['milepost events --count abc', 2, '--count must be a whole number above 0, not `abc`.'],
    ['milepost run list --experiment MC-0043-baseline --limit 0', 2, '--limit must be a whole number above 0'],
    ['milepost scan list --experiment MC-0041-baseline --limit 0', 2, '--limit must be a whole number above 0'],
    ['milepost experiment list -unknown:x', 1, 'unknown'],
  ])('%s exits with %i and says %s', async (command, expected, message) => {
    const { stdout, stderr, code } = await shell.run(command);
    expect({ stdout, code }).toEqual({ stdout: '', code: expected });
    expect(stderr).toContain(message);
  });

  it.each(['--dry-run', '--yes'])(
    'exits with 1 and prints the operation if all experiments are refused, %s',
    async (option) => {
      const { stdout, stderr, code } = await shell.run(
        `milepost bulk move done --query label:MC-0041-baseline ${option} -o json`,
      );
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('1 experiment refused.') });
      expect(JSON.parse(stdout)).toMatchObject({ status: 'checked', ready: 0, refused: 1 });
    },
  );

  it('exits with 1 if the disk is full, and says that the output is incomplete', async () => {
    const { stderr, code } = await shell.run('milepost experiment list -o csv > /dev/full');
    expect(stderr).toMatch(/^Error: No space is left for the output\. It is incomplete\.\n/);
    expect(code).toBe(1);
  });

  it('exits with 0 if the reader of its output closes the pipe', async () => {
    const { stderr, code } = await shell.run('set -o pipefail; milepost experiment list | exec 0<&-');
    expect([stderr, code]).toEqual(['', 0]);
  });
});

const latest = async () => {
  const { body } = await study.server.call('listBulkOperations', { query: { limit: 1 } });
  return body.bulk_operations[0] as { status: string; done: number; experiments: number };
};

describe('Ctrl-C in a bulk operation of 1,000 experiments', () => {
  it('stops the operation on the server, says how many were changed, and exits with 130', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `B-${index},B-${index}-baseline\n`);
    await shell.write('many.csv', `subject,visit\n${lines.join('')}`);
    const map = `--map subject=subject --map visit=experiment`;
    await shell.run(`milepost import many.csv --cohort memory-clinic --workflow brain_mri ${map} --yes`);
    const child = shell.start('milepost bulk move processed --query label:B-* --rate 100 --yes');
    await expect.poll(async () => (await latest())?.done ?? 0).toBeGreaterThan(0);
    interrupt(child);
    const { stderr, code } = await child.outcome;
    const { status, done, experiments } = await latest();
    expect({ status, experiments, code }).toEqual({ status: 'stopped', experiments: 1000, code: 130 });
    expect(done).toBeLessThan(1000);
    expect(stderr).toContain(`is stopped. ${done} of 1,000 experiments changed.`);
    expect(stderr).toMatch(/\nError: Interrupted\.\n$/);
  });
});

const file = () => join(shell.folder, '.config/milepost/contexts.json');

describe('the file of contexts', () => {
  const none = { MILEPOST_TOKEN: undefined, MILEPOST_URL: undefined };
  const login = () => shell.run(`milepost login ${study.server.origin} --user amina --password-stdin < password`, none);

  it('can be read by its user only, and holds a token that logout revokes', async () => {
    expect((await login()).code).toBe(0);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    const { contexts } = JSON.parse(await readFile(file(), 'utf8')) as { contexts: Record<string, { token: string }> };
    const [token = ''] = Object.values(contexts).map((context) => context.token);
    expect((await shell.run('milepost logout', none)).code).toBe(0);
    const { stderr, code } = await shell.run('milepost whoami', { MILEPOST_TOKEN: token });
    expect([code, stderr]).toEqual([3, expect.stringContaining('revoked')]);
  });

  it('is rejected if other users can read it', async () => {
    await login();
    await chmod(file(), 0o644);
    const { stderr, code } = await shell.run('milepost whoami', none);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Run: chmod 600 ${file()}`)]);
    const tokens = async () => (await shell.run('milepost token list --user amina -o ids')).stdout;
    const before = await tokens();
    expect((await login()).code).toBe(1);
    expect(await tokens()).toBe(before);
    await chmod(file(), 0o600);
  });
});
