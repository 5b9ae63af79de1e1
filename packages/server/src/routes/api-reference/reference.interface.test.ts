/** The API reference is complete, escaped and loads nothing from other hosts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@milepost/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { html } from './html.ts';

/** Pages with the bundled font, under a name like those of the build. */
const pages = mkdtempSync(join(tmpdir(), 'milepost-pages-'));
const font = '/assets/inter-latin-wght-normal-1a2b.woff2';
mkdirSync(join(pages, 'assets'));
for (const name of ['index.html', font, '/assets/inter-latin-ext-wght-normal-3c4d.woff2'])
  writeFileSync(join(pages, name), '');

let server: TestServer;
let page: string;
beforeAll(async () => {
  server = await startTestServer({ settings: { MILEPOST_WEB_DIR: pages } });
  page = await (await fetch(`${server.baseUrl}/docs`)).text();
});
afterAll(async () => {
  await server.stop();
  rmSync(pages, { recursive: true });
});

describe('the API reference', () => {
  it('has a section for every operation, with the name of the operation as its id', () => {
    const ids = [...page.matchAll(/<article\s+id="(\w+)"/g)].map(([, id]) => id);
    expect(new Set(ids.filter((id) => id && id in operations))).toEqual(new Set(Object.keys(operations)));
  });

  it('has no broken links', () => {
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`));
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link]) => link ?? '');
    const others = links.filter((link) => !ids.has(link));
    expect(new Set(others)).toEqual(new Set(['docs/style.css', 'openapi.json', '../../']));
  });

  it('loads nothing from other hosts and runs no scripts', async () => {
    expect(page).not.toMatch(/<script|<iframe|<img|javascript:|onclick/i);
    const { headers } = await fetch(`${server.baseUrl}/docs`);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'");
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const style = await fetch(`${server.baseUrl}/docs/style.css`);
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    const sheet = await style.text();
    expect(sheet).not.toContain('@import');
    expect([...sheet.matchAll(/url\('([^']*)'\)/g)].map(([, url]) => url)).toEqual([font]);
    expect(sheet.match(/url\(/g)).toHaveLength(1);
  });

  it('has the typeface of the pages, and may load it', async () => {
    expect((await fetch(server.origin + font)).headers.get('content-type')).toBe('font/woff2');
    const { headers } = await fetch(`${server.baseUrl}/docs`);
    expect(headers.get('content-security-policy')).toContain("font-src 'self'");
    const sheet = await (await fetch(`${server.baseUrl}/docs/style.css`)).text();
    expect(sheet).toMatch(/@font-face \{ font-family: Inter;/);
    expect(sheet).toMatch(/body \{[^}]*font: [^;]*Inter/);
  });

  it('rejects POST with 405', async () => {
    expect((await fetch(`${server.baseUrl}/docs`, { method: 'POST' })).status).toBe(405);
  });
});

it('the html template escapes text, but not nested HTML (V1.1.2, V1.2.1)', () => {
  expect(html`<p title="${'"x"'}">${['<b>', html`<i>${'&'}</i>`]}</p>`.text).toBe(
    '<p title="&quot;x&quot;">&lt;b&gt;<i>&amp;</i></p>',
  );
});
