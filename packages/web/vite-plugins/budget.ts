/**
 * The size limit of the first page: all JavaScript that a browser loads to show the Attention page, gzipped. The build
 * prints the sizes, and fails above the limit.
 */
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

export const limitKilobytes = 250;
/** The chunk of the first page, in addition to those that every page needs. */
const firstPage = /\/pages\/attention\/attention-page\.tsx$/;

type Bundle = Rolldown.OutputBundle;

const chunksOf = (bundle: Bundle) => Object.values(bundle).filter((file) => file.type === 'chunk');

/** A chunk and all its static imports, direct and indirect. */
export function loadedWith(bundle: Bundle, fileName: string, loaded = new Set<string>()): Set<string> {
  const file = bundle[fileName];
  if (file?.type !== 'chunk' || loaded.has(fileName)) return loaded;
  loaded.add(fileName);
  for (const imported of file.imports) loadedWith(bundle, imported, loaded);
  return loaded;
}

export function firstLoad(bundle: Bundle): string[] {
  const chunks = chunksOf(bundle);
  const pages = chunks.filter(({ facadeModuleId }) => facadeModuleId !== null && firstPage.test(facadeModuleId));
  // Otherwise a renamed page would not count, and the limit would always hold.
  if (pages.length === 0) throw new Error(`No chunk of the bundle is the first page, ${firstPage.source}`);
  const starts = [...chunks.filter((chunk) => chunk.isEntry), ...pages];
  const loaded = new Set<string>();
  for (const { fileName } of starts) loadedWith(bundle, fileName, loaded);
  return [...loaded];
}

const sizesOf = (bundle: Bundle, fileName: string) => {
  const file = bundle[fileName];
  const content = file?.type === 'chunk' ? file.code : (file?.source ?? '');
  return { raw: Buffer.byteLength(content), gzip: gzipSync(content, { level: 9 }).length };
};

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

function sumOf(bundle: Bundle, files: readonly string[]) {
  const sizes = files.map((file) => sizesOf(bundle, file));
  const sum = (key: 'raw' | 'gzip') => sizes.reduce((total, size) => total + size[key], 0);
  return { raw: sum('raw'), gzip: sum('gzip') };
}

const line = (name: string, bundle: Bundle, files: readonly string[]): string => {
  const { raw, gzip } = sumOf(bundle, files);
  return `${name}: ${files.length} files, ${kilobytes(raw)}, ${kilobytes(gzip)} with gzip`;
};

export const budget = (): Plugin => ({
  name: 'budget',
  apply: 'build',
  generateBundle(_, bundle) {
    const first = firstLoad(bundle);
    const ending = (end: string) => Object.keys(bundle).filter((file) => file.endsWith(end));
    this.info(line('JavaScript of the first page', bundle, first));
    this.info(line('all JavaScript', bundle, ending('.js')));
    this.info(line('all styles', bundle, ending('.css')));
    const { gzip } = sumOf(bundle, first);
    if (gzip > limitKilobytes * 1000)
      this.error(`The first page has ${kilobytes(gzip)} of JavaScript. The limit is ${limitKilobytes} kB.`);
  },
});
