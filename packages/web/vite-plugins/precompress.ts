/** Writes each file also with gzip and brotli compression, so that the server does not compress at request time. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Fonts are already compressed. */
const compressible = /\.(?:js|css|html|svg|json|txt)$/;

const brotli = (content: Buffer) =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });

export const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle({ dir = '' }) {
    const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) => compressible.test(file));
    for (const file of files) {
      const content = readFileSync(join(dir, file));
      writeFileSync(join(dir, `${file}.gz`), gzipSync(content, { level: 9 }));
      writeFileSync(join(dir, `${file}.br`), brotli(content));
    }
  },
});
