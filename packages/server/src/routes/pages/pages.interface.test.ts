/** Requests for web pages by browsers and attackers. A raw socket sends the paths that a client would normalise. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { pagesOf } from './read-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'milepost-pages-'));
const pages = join(folder, 'dist');
const start = '<!doctype html><title>Milepost</title><script type="module" src="/assets/app-1a2b.js"></script>';
const script = 'document.title = "Milepost";'.repeat(50);
const secret = 'not a public file';

function writePages(): void {
  mkdirSync(join(pages, 'assets'), { recursive: true });
  mkdirSync(join(pages, '.vite'));
  writeFileSync(join(pages, 'index.html'), start);
  writeFileSync(join(pages, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(pages, 'assets', 'app-1a2b.js'), script);
  writeFileSync(join(pages, 'assets', 'app-1a2b.js.br'), brotliCompressSync(script));
  writeFileSync(join(pages, 'assets', 'app-1a2b.js.gz'), gzipSync(script));
  for (const name of ['../secret.txt', '.hidden.txt', '.vite/manifest.json', 'assets/odd:name.js', 'notes.doc']) {
    writeFileSync(join(pages, name), secret);
  }
  symlinkSync(join(folder, 'secret.txt'), join(pages, 'link.txt'));
  symlinkSync(folder, join(pages, 'up'));
}

let server: TestServer;
beforeAll(async () => {
  writePages();
  server = await startTestServer({ settings: { MILEPOST_WEB_DIR: pages } });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = {}) => fetch(server.origin + path, { headers });

/** Sends the path unchanged and returns the response. */
const exchange = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; head: string; body: Buffer }>((resolve, reject) => {
    const { hostname, port } = new URL(server.origin);
    const lines = Object.entries({ host: hostname, connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const received: Buffer[] = [];
    connect(Number(port), hostname)
      .on('data', (chunk) => received.push(chunk))
      .once('error', reject)
      .once('end', () => {
        const answer = Buffer.concat(received);
        const end = answer.indexOf('\r\n\r\n');
        const head = answer.subarray(0, end).toString('latin1').toLowerCase();
        resolve({ status: Number(head.slice(9, 12)), head, body: answer.subarray(end + 4) });
      })
      .end([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  });

describe('the start page', () => {
  it.each(['/', '/index.html', '/subjects/1', '/experiments/1?tab=runs', '/sign-in', '/apiary', '/subjects/a%2Fb'])(
    'is served at %s to a browser',
    async (path) => {
      const answer = await get(path, html);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await answer.text()).toBe(start);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    },
  );

  it('allows only scripts of its own origin and cannot be framed (V3.4.3, V3.4.4, V3.4.5, V3.4.6, V14.2.3)', async () => {
    const { headers } = await get('/', html);
    const policy = new Map(
      (headers.get('content-security-policy') ?? '').split('; ').map((part): [string, string] => {
        const [name = '', ...sources] = part.split(' ');
        return [name, sources.join(' ')];
      }),
    );
    expect(Object.fromEntries(policy)).toEqual({
      'default-src': "'self'",
      'script-src': "'self'",
      'style-src': "'self' 'unsafe-inline'",
      'img-src': "'self' data:",
      'connect-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    });
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it.each(['/api/v2/nothing', '/api/v2', '/api', '/api/v3/x', '/-/nothing', '/-', '/metrics', '/assets/gone.js'])(
    'is not served at %s, which returns 404 even to a browser',
    async (path) => {
      const answer = await get(path, html);
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'no_such_path']);
    },
  );

  it('is served at a page path only to clients that ask for HTML, and only for GET and HEAD', async () => {
    for (const accept of ['*/*', 'application/json', 'image/*']) {
      expect((await get('/subjects/1', { accept })).status).toBe(404);
    }
    const posted = await fetch(`${server.origin}/subjects/1`, { method: 'POST', headers: html });
    expect(posted.status).toBe(404);
    const written = await fetch(`${server.origin}/index.html`, { method: 'POST', headers: html });
    expect([written.status, written.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('does not replace the API, its reference or the health checks', async () => {
    expect((await get('/api/v2/openapi.json', html)).headers.get('content-type')).toMatch('application/json');
    expect(await (await get('/api/v2/docs', html)).text()).toContain('listCohorts');
    expect(await (await get('/-/healthy', html)).json()).toEqual({ healthy: true });
    expect((await get('/api/v2/cohorts', html)).status).toBe(401);
  });

  it('is not sent again to a browser that has it cached', async () => {
    const tag = (await get('/', html)).headers.get('etag') ?? '';
    const again = await get('/', { ...html, 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get('/', { ...html, 'if-none-match': '"other"' })).status).toBe(200);
  });
});

describe('a file', () => {
  it('is cached for a year if its name has a content hash, and is otherwise revalidated', async () => {
    const asset = await get('/assets/app-1a2b.js');
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await asset.text()).toBe(script);
    const icon = await get('/favicon.svg');
    expect([icon.headers.get('cache-control'), icon.headers.get('content-type')]).toEqual([
      'no-cache',
      'image/svg+xml',
    ]);
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.5', 'br'],
    ['deflate', 'identity'],
    ['xbr, gzipped', 'identity'],
    ['gzip;q=0', 'identity'],
  ])('requested with Accept-Encoding %s is sent with the encoding %s', async (accepted, expected) => {
    const { head, body } = await exchange('/assets/app-1a2b.js', { 'accept-encoding': accepted });
    expect(/content-encoding: (\w+)/.exec(head)?.[1] ?? 'identity').toBe(expected);
    expect(head).toContain('vary: accept-encoding');
    if (expected === 'gzip') expect(gunzipSync(body).toString()).toBe(script);
    expect(body.length).toBe(Number(/content-length: (\d+)/.exec(head)?.[1]));
  });

  it('requested with HEAD returns its length but no body', async () => {
    const head = await fetch(`${server.origin}/favicon.svg`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '41', '']);
  });
});

describe('a path that leaves the folder or leads to a file that is not public', () => {
  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%252e%252e/secret.txt',
    '/..\\secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//secret.txt',
    '/./.hidden.txt',
    '/.hidden.txt',
    '/.vite/manifest.json',
    '/link.txt',
    '/up/secret.txt',
    '/notes.doc',
    '/assets/odd:name.js',
    '/assets/odd%3Aname.js',
    '/index.html%00.txt',
    '/assets/',
    '/assets/app-1a2b.js.br',
    '/assets/app-1a2b.js/../../../secret.txt',
    'http://example.org/../secret.txt',
  ])('such as %s does not expose a file (V13.4.3)', async (path) => {
    for (const headers of [{}, html]) {
      const { status, body } = await exchange(path, headers);
      expect(body.toString()).not.toContain(secret);
      // A browser gets the start page, which shows that the page does not exist.
      if (status === 200) expect([headers, body.toString()]).toEqual([html, start]);
      else expect([400, 404]).toContain(status);
    }
  });
});

describe('MILEPOST_WEB_DIR', () => {
  it('prevents the server from starting if its folder has no start page', () => {
    expect(() => pagesOf(join(folder, 'none'))).toThrow(/MILEPOST_WEB_DIR.*index\.html/);
  });

  it('defaults to the folder in the package, and without that folder no pages are served', () => {
    expect(pagesOf(undefined, join(folder, 'none')).size).toBe(0);
    expect([...pagesOf(undefined, pages).keys()].toSorted()).toEqual([
      '/assets/app-1a2b.js',
      '/favicon.svg',
      '/index.html',
    ]);
  });
});
