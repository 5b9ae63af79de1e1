/** Reads the files of the web application at startup. Requests never access the file system, so no other file can be read. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SettingsError } from '../../config.ts';

export interface Page {
  type: string;
  /** For the ETag. */
  tag: string;
  bytes: Buffer;
  /** Compressed at build time. */
  compressed: Readonly<Partial<Record<Encoding, Buffer>>>;
}

/** By URL path, such as `/index.html`. */
export type Pages = ReadonlyMap<string, Page>;

/** In order of preference. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];
const extensions: Record<Encoding, string> = { br: '.br', gzip: '.gz' };

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

export const startPage = '/index.html';

/** The same relative path works in a checkout and in built code. */
const defaultFolder = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

/** A configured folder must contain the pages. Without the default folder, there are no pages. */
export function pagesOf(configured: string | undefined, fallback = defaultFolder): Pages {
  if (configured === undefined) return existsSync(join(fallback, startPage)) ? readPages(fallback) : new Map();
  if (!existsSync(join(configured, startPage))) {
    throw new SettingsError(`MILEPOST_WEB_DIR is "${configured}", but this folder has no index.html.`);
  }
  return readPages(configured);
}

/** Only files of known types, and no hidden files. */
const readPages = (folder: string): Pages =>
  new Map(
    filesIn(folder)
      .filter((path) => extname(path) in types)
      .map((path) => [`/${path}`, readPage(join(folder, path))]),
  );

/** Not the recursive option of readdir, because it follows symbolic links. */
function filesIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .filter(({ name }) => isPlain(name))
    .flatMap((entry) => {
      const path = below + entry.name;
      return entry.isDirectory() ? filesIn(folder, `${path}/`) : entry.isFile() ? [path] : [];
    });
}

/** Only characters that need no escaping in a URL or a route, and no leading dot. */
const isPlain = (name: string) => /^[\w~@+-][\w.~@+-]*$/.test(name);

function readPage(file: string): Page {
  const bytes = readFileSync(file);
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const available = encodings.filter((encoding) => existsSync(file + extensions[encoding]));
  const compressed = Object.fromEntries(
    available.map((encoding) => [encoding, readFileSync(file + extensions[encoding])]),
  );
  return { type: types[extname(file)] ?? '', tag, bytes, compressed };
}
