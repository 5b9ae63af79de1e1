/**
 * The package with the command line alone. Of packages/api it has only the modules that the client imports, which import no third-party
 * package, so that there is nothing to fetch.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fromRoot } from './printed-file.ts';

interface Manifest {
  name: string;
  version: string;
  [field: string]: unknown;
}

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(fromRoot(`${folder}/package.json`), 'utf8')) as Manifest;

const writeManifest = (folder: string, manifest: object) =>
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

const relativeImports = /\bfrom '(\.[^']+)'/g;

/** The built files that a file imports, and itself. */
export function closureOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(relativeImports))
    closureOf(join(dirname(file), path), found);
  return found;
}

function putApi(to: string): void {
  const { name, version, type, license } = readManifest('packages/api');
  const built = fromRoot('packages/api/dist');
  for (const file of closureOf(join(built, 'for-clients.js'))) {
    const copy = join(to, 'dist', file.slice(built.length + 1));
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(file, copy);
  }
  writeManifest(to, { name, version, type, license, exports: { './client': './dist/for-clients.js' } });
}

export function layOutClient(stage: string): void {
  rmSync(stage, { recursive: true, force: true });
  cpSync(fromRoot('packages/cli/dist'), join(stage, 'dist'), {
    recursive: true,
    filter: (file) => !/\.d\.ts$|\.map$/.test(file),
  });
  cpSync(fromRoot('LICENSE'), join(stage, 'LICENSE'));
  cpSync(fromRoot('docs/reference/command-line.md'), join(stage, 'README.md'));
  putApi(join(stage, 'node_modules/@milepost/api'));
  const { name: _, private: _private, exports: _exports, ...manifest } = readManifest('packages/cli');
  writeManifest(stage, { name: 'milepost-cli', ...manifest, bundleDependencies: ['@milepost/api'] });
}
