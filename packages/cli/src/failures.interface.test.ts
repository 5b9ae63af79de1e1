/** Failures of the server, the network, the output and the user: exit code and message. */
import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, createServer as createRelay, type AddressInfo } from 'node:net';
import { chmod, readFile, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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

  it.each([
    ['with chunks', 'HTTP/1.1', (answer: string) => answer.slice(0, -20)],
    // The last chunk and the empty last line are missing: every row is there.
    ['without chunks, after a whole line', 'HTTP/1.0', (answer: string) => answer.slice(0, -1)],
  ])('exits with 6 if the network is cut within a list %s, and does not end the JSON', async (_, version, cut) => {
    const { port } = new URL(study.server.origin);
    const relay = createRelay((socket) => {
      const upstream = connect(Number(port), '127.0.0.1');
      socket.on('data', (chunk: Buffer) => {
        upstream.write(chunk.toString().replace('HTTP/1.1', version).replace('keep-alive', 'close'));
      });
      void text(upstream.setEncoding('utf8')).then((answer) => socket.end(cut(answer), () => socket.destroy()));
      for (const end of [socket, upstream]) end.on('error', () => undefined);
    });
    const url = await listening(relay);
    const { stdout, stderr, code } = await shell.run('milepost experiment list -o json', { MILEPOST_URL: url });
    relay.close();
    expect(stderr).toMatch(/^Error: Cannot reach the server: the connection was cut\./);
    expect(code).toBe(6);
    expect(stdout).not.toMatch(/\]/);
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
    ['milepost bulk move processed --query state:arrived --reason Checked', 2, 'Add --yes to confirm.'],
    ['milepost bulk move processed --query state:arrived --yes', 2, 'Add --reason TEXT'],
    ['milepost bulk move processed --query state:arrived --yes --reason ""', 2, '--reason must not be empty.'],
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

  it('says once what is wrong with a query', async () => {
    const { stderr } = await shell.run('milepost experiment list state:arived');
    expect(stderr).toBe('Error: No state `arived`. Did you mean arrived?\n');
  });

  it.each(['--dry-run', '--yes'])(
    'exits with 1 and prints the operation if all experiments are refused, %s',
    async (option) => {
      const { stdout, stderr, code } = await shell.run(
        `milepost bulk move done --query label:MC-0041-baseline ${option} --reason Checked -o json`,
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

const findOperation = async (query: string) => {
  const { body } = await study.server.call('listBulkOperations');
  const operations = body.bulk_operations as { query: string; status: string; done: number; experiments: number }[];
  return operations.find((one) => one.query === query);
};

/** Passes requests on, except those for which `interfere` returns true. */
async function startProxy(interfere: (request: IncomingMessage, response: ServerResponse) => boolean) {
  const proxy = createServer((request, response) => {
    if (interfere(request, response)) return;
    const { method = 'GET', url = '/', headers } = request;
    const onward = send(new URL(url, study.server.origin), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  return { url: await listening(proxy), close: () => proxy.close() };
}

/** `interfere` gets the requests that read the progress. */
async function noteInBulk(interfere: (response: ServerResponse, request: IncomingMessage) => boolean) {
  const proxy = await startProxy((request, response) => {
    const isProgress = request.method === 'GET' && /\/bulk_operations\/\d+$/.test(request.url ?? '');
    return isProgress && interfere(response, request);
  });
  const command = 'milepost bulk note "Checked" --query label:MC-0041-baseline --reason Checked --yes -o json';
  const outcome = await shell.run(command, { MILEPOST_URL: proxy.url });
  proxy.close();
  return outcome;
}

function respondWith(response: ServerResponse, status: number, detail: string) {
  const problem = {
    type: 'about:blank',
    title: 'A problem',
    status,
    detail,
    code: 'x',
    errors: [],
    request_id: 'r-4711',
  };
  response.writeHead(status, { 'Content-Type': 'application/problem+json' }).end(JSON.stringify(problem));
}

describe('a bulk operation whose progress cannot be read for a while', () => {
  it('is followed to its end', async () => {
    let cuts = 0;
    const { stdout, stderr, code } = await noteInBulk((_response, request) => {
      if ((cuts += 1) > 2) return false;
      request.socket.destroy();
      return true;
    });
    expect({ stderr, code }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'finished', done: 1 });
    expect(stderr.match(/Cannot reach the server: .+\. Trying again\./g)).toHaveLength(1);
    expect(cuts).toBeGreaterThan(2);
  });

  it('is followed to its end after a rate limit, with the reason of the server', async () => {
    let count = 0;
    const { stderr, code } = await noteInBulk((response) => {
      const isLimited = (count += 1) === 1;
      if (isLimited) respondWith(response, 429, 'Too many requests.');
      return isLimited;
    });
    expect({ stderr, code }).toMatchObject({ code: 0 });
    expect(stderr).toContain('Too many requests. Trying again.\n');
  });

  it('is not followed after an error of the server', async () => {
    const { stderr, code } = await noteInBulk((response) => {
      respondWith(response, 500, 'Internal server error.');
      return true;
    });
    expect({ stderr, code }).toMatchObject({ code: 1, stderr: expect.not.stringContaining('Trying again') });
    expect(stderr).toMatch(
      /Error: Internal server error\.\nAsk the operator of the server, with the request id r-4711\.\n.+ may continue on the server\. See: milepost bulk show \d+\n$/,
    );
  });
});

describe('milepost view delete', () => {
  it('deletes the view of a colleague only by its id', async () => {
    const made = await shell.run('milepost view create Shared state:arrived --cohort memory-clinic -o ids');
    const { stdout: amina } = await shell.run('milepost user get amina -o ids');
    const account = { id: Number(amina), username: 'amina' };
    const { token } = await createTestToken(study.server, account, ['sample_add', 'sample_update']);
    const asAmina = { MILEPOST_TOKEN: token };
    const refused = await shell.run('milepost view delete Shared', asAmina);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining(`${made.stdout.trim()} of `) });
    expect((await shell.run('milepost experiment list --view Shared', asAmina)).code).toBe(0);
    await shell.run('milepost view create Shared state:done', asAmina);
    expect(await shell.run('milepost view delete Shared', asAmina)).toMatchObject({ code: 0 });
    expect((await shell.run('milepost view list -o ids')).stdout).toContain(made.stdout);
    expect(await shell.run(`milepost view delete ${made.stdout.trim()}`, asAmina)).toMatchObject({ code: 0 });
    expect((await shell.run('milepost view list -o ids')).stdout).not.toContain(made.stdout);
  });
});

describe('Ctrl-C in a bulk operation of 1,000 experiments', () => {
  it('stops the operation on the server, says how many were changed, and exits with 130', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `B-${index},B-${index}-baseline\n`);
    await shell.write('many.csv', `subject,visit\n${lines.join('')}`);
    const map = `--map subject=subject --map visit=experiment`;
    await shell.run(`milepost import many.csv --cohort memory-clinic --workflow brain_mri ${map} --yes`);
    const child = shell.start('milepost bulk move processed --query label:B-* --rate 100 --reason Checked --yes');
    await expect.poll(async () => (await findOperation('label:B-*'))?.done ?? 0).toBeGreaterThan(0);
    interrupt(child);
    const { stderr, code } = await child.outcome;
    const { status, done = 0, experiments } = (await findOperation('label:B-*')) ?? {};
    expect({ status, experiments, code }).toEqual({ status: 'stopped', experiments: 1000, code: 130 });
    expect(done).toBeLessThan(1000);
    expect(stderr).toContain(`is stopped. ${done} of 1,000 experiments changed.`);
    expect(stderr).toMatch(/\nError: Interrupted\.\n$/);
  });
});

const file = () => join(shell.folder, '.config/milepost/contexts.json');

const none = { MILEPOST_TOKEN: undefined, MILEPOST_URL: undefined };

const login = () => shell.run(`milepost login ${study.server.origin} --user amina --password-stdin < password`, none);

describe('milepost login', () => {
  it('exits with 3 if the password is wrong, and does not recommend itself', async () => {
    const attempt = `milepost login ${study.server.origin} --user amina --password-stdin <<< wrong`;
    const stderr = 'Error: The username or password is wrong, or the account is deactivated.\n';
    expect(await shell.run(attempt, none)).toEqual({ stdout: '', stderr, code: 3 });
  });
});

describe('the file of contexts', () => {
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
