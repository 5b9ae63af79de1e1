/**
 * The files of the web pages, read once, at the start. Nothing is looked up in a folder when a request comes: what is not in
 * this list cannot be asked for, however its address is written.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SettingsError } from '../../config.ts';

export interface Page {
  type: string;
  /** The name of these bytes, for browsers that have them already. */
  tag: string;
  bytes: Buffer;
  /** The same, compressed beforehand. */
  compressed: Readonly<Partial<Record<Encoding, Buffer>>>;
}

/** By the path of the address: `/index.html`. */
export type Pages = ReadonlyMap<string, Page>;

/** In the order in which we prefer them. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];
const endings: Record<Encoding, string> = { br: '.br', gzip: '.gz' };

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

/** Where the pages lie in a checkout; built code finds them at the same place. */
const along = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

/** A folder that is named must hold pages; the one that came along may be missing, and then there are none. */
export function pagesOf(named: string | undefined, otherwise = along): Pages {
  if (named === undefined) return existsSync(join(otherwise, startPage)) ? readPages(otherwise) : new Map();
  if (!existsSync(join(named, startPage))) {
    throw new SettingsError(`MILEPOST_WEB_DIR is "${named}": there is no file index.html in that folder.`);
  }
  return readPages(named);
}

/** Files of the types that we know, and no others; hidden ones stay hidden. */
const readPages = (folder: string): Pages =>
  new Map(
    filesIn(folder)
      .filter((path) => extname(path) in types)
      .map((path) => [`/${path}`, readPage(join(folder, path))]),
  );

/** By hand: Node's own walk follows links, and these lead anywhere. */
function filesIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .filter(({ name }) => isPlain(name))
    .flatMap((entry) => {
      const path = below + entry.name;
      return entry.isDirectory() ? filesIn(folder, `${path}/`) : entry.isFile() ? [path] : [];
    });
}

/** Letters that stand for themselves in an address and in a route, and no dot at the beginning. */
const isPlain = (name: string) => /^[\w~@+-][\w.~@+-]*$/.test(name);

function readPage(file: string): Page {
  const bytes = readFileSync(file);
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const beside = encodings.filter((encoding) => existsSync(file + endings[encoding]));
  const compressed = Object.fromEntries(beside.map((encoding) => [encoding, readFileSync(file + endings[encoding])]));
  return { type: types[extname(file)] ?? '', tag, bytes, compressed };
}
