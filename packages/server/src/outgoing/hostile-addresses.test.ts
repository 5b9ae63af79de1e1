/** Connects only to allowed targets, however a URL is written. Tested against real listeners. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWebServer, type WebServer } from '../../testing/counterparts/web-server.ts';
import { readAllowedTarget } from '../config/targets.ts';
import { createOutgoing, type Outgoing } from './create-outgoing.ts';
import { OutgoingRefused } from './outgoing-errors.ts';

let allowed: WebServer;
let other: WebServer;
let third: WebServer;
let outgoing: Outgoing;
let resolved: string[];

beforeAll(async () => {
  [allowed, other, third] = await Promise.all([startWebServer(), startWebServer(), startWebServer()]);
});
afterAll(() => Promise.all([allowed, other, third].map((server) => server.stop())));

beforeEach(() => {
  resolved = [];
  outgoing = createOutgoing({
    allow: [allowed.origin, `http://archive.test:${allowed.port}`, `https://secure.test:${third.port}`].map((text) =>
      readAllowedTarget(text),
    ),
    // Every name resolves to the listeners, so only the check prevents a connection.
    resolve: async (name) => {
      resolved.push(name);
      return ['127.0.0.1'];
    },
  });
});

const connections = () => [allowed, other, third].map((server) => server.connections());
const get = (url: string) => outgoing.request({ url, method: 'GET', signal: new AbortController().signal });

/** Port A is allowed on 127.0.0.1, B and C are not. C is allowed for secure.test with https only. */
const fill = (pattern: string) => {
  const ports: Record<string, number> = { A: allowed.port, B: other.port, C: third.port };
  return pattern.replaceAll(/\b[ABC]\b/g, (name) => String(ports[name]));
};

const rejected = [
  'http://127.0.0.1:B/',
  'http://127.0.0.1:C/',
  'http://127.0.0.1/',
  'https://127.0.0.1:A/',
  'https://127.0.0.1:B/',
  'http://127.0.0.2:A/',
  'http://127.255.255.254:A/',
  'http://0.0.0.0:A/',
  'http://0:B/',
  'http://localhost:A/',
  'http://LOCALHOST:A/',
  'http://localhost.:A/',
  'http://localhost.localdomain:A/',
  'http://127.0.0.1.nip.test:A/',
  'http://2130706433:B/',
  'http://017700000001:B/',
  'http://0x7f000001:B/',
  'http://0x7f.0.0.1:B/',
  'http://0177.0.0.1:B/',
  'http://127.1:B/',
  'http://127.0.1:B/',
  'http://127.0.0.1.:B/',
  'http://１２７.０.０.１:B/',
  'http://127。0。0。1:B/',
  'http://①②⑦.0.0.1:B/',
  'http://%31%32%37.0.0.1:B/',
  'http://[::1]:A/',
  'http://[::]:A/',
  'http://[::ffff:127.0.0.1]:B/',
  'http://[::ffff:7f00:1]:B/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]:B/',
  'http://[::127.0.0.1]:A/',
  'http://[64:ff9b::127.0.0.1]:A/',
  'http://[2002:7f00:1::]:A/',
  'http://[64:ff9b:1::127.0.0.1]:A/',
  'http://[2002:a9fe:a9fe::]/latest/meta-data/',
  'http://[64:ff9b::169.254.169.254]/latest/meta-data/',
  'http://[::169.254.169.254]/latest/meta-data/',
  'http://[fe80::1%25eth0]/',
  'http://100.64.0.1:A/',
  'http://198.18.0.1:A/',
  'http://224.0.0.1:A/',
  'http://255.255.255.255:A/',
  'http://0.1.2.3:A/',
  'http://[::ffff:0:127.0.0.1]:A/',
  'http://[fe80::1%25lo]:A/',
  'http://[::1%lo]:A/',
  'http://127.0.0.1:A@127.0.0.1:B/',
  'http://127.0.0.1:A%40127.0.0.1:B/',
  'http://allowed@127.0.0.1:A/',
  'http://:secret@127.0.0.1:A/',
  'http://archive.test:A@127.0.0.1:B/',
  'http://archive.test:A:B/',
  'http://127.0.0.1:A:B/',
  'http://127.0.0.1:B#@127.0.0.1:A/',
  'http://127.0.0.1:B?@127.0.0.1:A/',
  'http://127.0.0.1:B\\@127.0.0.1:A/',
  'http:\\\\127.0.0.1:B\\',
  'http:127.0.0.1:B',
  'http:/127.0.0.1:B/',
  'http:///127.0.0.1:B/',
  '\thttp://127.0.0.1:B/',
  'ht\ntp://127.0.0.1:B/',
  'http://127.0.0.1:\nB/',
  'http://127.0.0.1\r\nHost: archive.test:B/',
  'http://127.0.0.1 archive.test:B/',
  'HTTP://127.0.0.1:B/',
  '//127.0.0.1:A/',
  '127.0.0.1:A/',
  '/',
  '',
  'archive.test:A',
  'http://archive.test/',
  'http://archive.test:B/',
  'https://archive.test:A/',
  'http://a.archive.test:A/',
  'http://archive.test.evil.test:A/',
  'http://archive.test..:A/',
  'http://.archive.test:A/',
  'http://archive-test:A/',
  'http://аrchive.test:A/',
  'http://archive%00.test:A/',
  'http://archive.test%2f@127.0.0.1:A/',
  'http://secure.test:C/',
  'https://secure.test/',
  'https://127.0.0.1:C/',
  'http://127.0.0.1:99999/',
  'http://127.0.0.1:-1/',
  'http://127.0.0.1:*/',
  'http://*:A/',
  'http://169.254.169.254/latest/meta-data/',
  'http://metadata.google.internal/',
  'http://metadata.google.internal./computeMetadata/v1/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[::ffff:169.254.169.254]/latest/meta-data/',
  'http://2852039166/latest/meta-data/',
  'http://0xa9fea9fe/latest/meta-data/',
  'http://0251.0376.0251.0376/latest/meta-data/',
  'http://169.254.43518/latest/meta-data/',
  'http://100.100.100.200/latest/meta-data/',
  'http://192.0.0.192/opc/v2/instance/',
  'http://168.63.129.16/machine/',
  'http://127.0.0.1:0/',
  'http://127.0.0.1:22/',
  'http://xn--archive-.test:A/',
  `http://${'a'.repeat(60_000)}.test:A/`,
  `http://127.0.0.1:B/${'a'.repeat(60_000)}`,
  'ftp://127.0.0.1:A/',
  'ws://127.0.0.1:A/',
  'gopher://127.0.0.1:A/_GET',
  'file:///etc/passwd',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
  'blob:http://127.0.0.1:A/x',
  'view-source:http://127.0.0.1:A/',
];

describe('a URL that is not allowed', () => {
  it('is tested in more than 60 forms', () => {
    expect(new Set(rejected).size).toBeGreaterThan(60);
    expect(new Set(rejected).size).toBe(rejected.length);
  });

  it.each(rejected)(
    'such as %j is rejected without a connection and without resolving a name (V1.3.6)',
    async (pattern) => {
      const before = connections();
      await expect(get(fill(pattern))).rejects.toBeInstanceOf(OutgoingRefused);
      expect(connections()).toEqual(before);
      expect(resolved).toEqual([]);
    },
  );
});

describe('another spelling of an allowed URL', () => {
  it.each([
    'http://127.0.0.1:A/',
    'http://2130706433:A/',
    'http://0x7f.1:A/',
    'http://0177.0.0.1:A/',
    'http://127.0.0.1.:A/',
    'http://[::ffff:127.0.0.1]:A/',
    'http://１２７.０.０.１:A/',
    'http:\\\\127.0.0.1:A\\@127.0.0.1:B/',
    'http://archive.test:A/',
    'http://ARCHIVE.test.:A/',
    'http://127.0.0.1:A//127.0.0.1:B/',
    'http://127.0.0.1:A/http://127.0.0.1:B/',
    'http://127.0.0.1:A/#@127.0.0.1:B/',
    'http://127.0.0.1:A/?@127.0.0.1:B/',
  ])('such as %j connects once to the allowed target and nowhere else', async (pattern) => {
    const [first = 0, ...rest] = connections();
    expect((await get(fill(pattern))).status).toBe(200);
    expect(connections()).toEqual([first + 1, ...rest]);
    expect(allowed.received.at(-1)?.headers.host).toBe(
      fill(pattern.toLowerCase().includes('archive') ? 'archive.test:A' : '127.0.0.1:A'),
    );
  });
});

describe('an empty list of allowed targets', () => {
  it('rejects every request', async () => {
    const closed = createOutgoing({ allow: [] });
    const before = connections();
    const sent = closed.request({ url: allowed.origin, method: 'GET', signal: new AbortController().signal });
    await expect(sent).rejects.toThrow(/are not allowed\. .* MILEPOST_OUTGOING_ALLOW/);
    expect(connections()).toEqual(before);
  });
});

describe('a redirect', () => {
  it('to a URL that is not allowed is returned and not followed (V15.3.2)', async () => {
    const before = other.connections();
    const response = await get(`${allowed.origin}/redirect?to=${other.origin}/`);
    expect([response.status, response.headers['location']]).toEqual([302, `${other.origin}/`]);
    expect(other.connections()).toBe(before);
  });

  it('to an allowed URL is not followed either', async () => {
    const before = allowed.connections();
    expect((await get(`${allowed.origin}/redirect?to=/echo`)).status).toBe(302);
    expect(allowed.connections()).toBe(before + 1);
  });
});

describe('a name that changes its address', () => {
  it('is resolved once, and the connection uses the first result', async () => {
    const results = [['127.0.0.1'], ['192.0.2.1']];
    const rebinding = createOutgoing({
      allow: [readAllowedTarget(`http://rebinding.test:${allowed.port}`)],
      resolve: async () => results.shift() ?? [],
    });
    const url = `http://rebinding.test:${allowed.port}/`;
    const response = await rebinding.request({ url, method: 'GET', signal: new AbortController().signal });
    expect(response.status).toBe(200);
    expect(results).toEqual([['192.0.2.1']]);
  });

  it.each([
    ['no address', []],
    ['a name', ['localhost']],
    ['an address with a port', ['127.0.0.1:1']],
    ['an address in another spelling', ['0x7f.1']],
    ['an address and a name', ['127.0.0.1', 'evil.test']],
  ])('gets no connection if it resolves to %s', async (_what, results) => {
    const before = connections();
    const confused = createOutgoing({
      allow: [readAllowedTarget(`http://confused.test:${allowed.port}`)],
      resolve: async () => results,
    });
    const url = `http://confused.test:${allowed.port}/`;
    const sent = confused.request({ url, method: 'GET', signal: new AbortController().signal });
    await expect(sent).rejects.toThrow('The name confused.test has no address');
    expect(connections()).toEqual(before);
  });

  it('does not allow another port, whatever its address', async () => {
    const before = connections();
    await expect(get(`http://archive.test:${other.port}/`)).rejects.toBeInstanceOf(OutgoingRefused);
    expect([connections(), resolved]).toEqual([before, []]);
  });

  it('is resolved again by the next request, on a new connection', async () => {
    const before = allowed.connections();
    await get(`http://archive.test:${allowed.port}/`);
    await get(`http://archive.test:${allowed.port}/`);
    expect(resolved).toEqual(['archive.test', 'archive.test']);
    expect(allowed.connections()).toBe(before + 2);
  });
});

describe('proxies in the environment', () => {
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];
  const kept = names.map((name) => [name, process.env[name]] as const);
  afterAll(() => {
    for (const [name, value] of kept) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  it('are not used', async () => {
    for (const name of names) process.env[name] = other.origin;
    const before = other.connections();
    const fresh = createOutgoing({ allow: [readAllowedTarget(allowed.origin)] });
    const sent = { url: allowed.origin, method: 'GET', signal: new AbortController().signal } as const;
    expect((await fresh.request(sent)).status).toBe(200);
    expect(other.connections()).toBe(before);
  });
});
