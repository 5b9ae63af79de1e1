/**
 * `npm run pack`: builds dist/milepost-VERSION.tgz and dist/milepost-cli-VERSION.tgz, which has the command line without the server; with
 * `--built`, packs the existing build. Our packages are bundled in their node_modules; npm fetches third-party packages in the exact
 * versions that we test with. See docs/decisions/0025 and 0054.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilePackages } from './build-packages.ts';
import { layOutClient } from './client-package.ts';
import { fromRoot } from './printed-file.ts';
import { makeSbom } from './sbom.ts';

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  [field: string]: unknown;
}

/** The bundled packages, each with the files it needs at run time besides its build. */
const inside: Record<string, readonly string[]> = {
  'packages/api': [],
  'packages/definitions': [],
  'packages/server': ['migrations', 'workflow.schema.json', 'breached-passwords.bin'],
  'packages/cli': [],
};

const out = fromRoot('dist');
const stage = join(out, 'package');

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(fromRoot(`${folder}/package.json`), 'utf8')) as Manifest;

const writeManifest = (folder: string, manifest: object) =>
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

/** Types and source maps are not needed at run time. */
const copyBuilt = (from: string, to: string) =>
  cpSync(fromRoot(`${from}/dist`), join(to, 'dist'), {
    recursive: true,
    filter: (file) => !/\.d\.ts$|\.map$/.test(file),
  });

/** The outer package lists its dependencies, because npm ignores those of bundled packages. */
function putInside(folder: string): void {
  const { name, version, license, type, exports, engines } = readManifest(folder);
  const to = join(stage, 'node_modules', name);
  copyBuilt(folder, to);
  for (const file of inside[folder] ?? []) cpSync(fromRoot(`${folder}/${file}`), join(to, file), { recursive: true });
  writeManifest(to, { name, version, license, type, exports, engines });
}

function wholeManifest(): Manifest {
  const { private: _, devDependencies: _ours, ...manifest } = readManifest('packages/milepost');
  const parts = Object.keys(inside).map(readManifest);
  const all = Object.assign({}, ...parts.map(({ dependencies }) => dependencies), manifest.dependencies) as object;
  const bundled = parts.map(({ name }) => name);
  const versions = Object.fromEntries(parts.map(({ name, version }) => [name, version]));
  const dependencies = Object.fromEntries(
    Object.entries({ ...all, ...versions }).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  return { ...manifest, dependencies, bundleDependencies: bundled };
}

function layOut(): void {
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  for (const folder of Object.keys(inside)) putInside(folder);
  copyBuilt('packages/milepost', stage);
  // Without the pages, the server serves the API only.
  if (existsSync(fromRoot('packages/web/dist'))) {
    cpSync(fromRoot('packages/web/dist'), join(stage, 'web'), { recursive: true });
  }
  for (const file of ['examples', 'README.md', 'LICENSE'])
    cpSync(fromRoot(file), join(stage, file), { recursive: true });
  writeManifest(stage, wholeManifest());
  writeSbom();
}

/** Inside the package for those who have installed it, and beside it for those who review it first. */
function writeSbom(): void {
  const { version } = readManifest('packages/milepost');
  const text = `${JSON.stringify(makeSbom(version), null, 2)}\n`;
  for (const file of [join(stage, 'sbom.cdx.json'), join(out, `milepost-${version}.cdx.json`)])
    writeFileSync(file, text);
}

export const packageFile = (): string => join(out, `milepost-${readManifest('packages/milepost').version}.tgz`);

export const clientPackageFile = (): string => join(out, `milepost-cli-${readManifest('packages/cli').version}.tgz`);

const clientStage = join(out, 'client-package');

function packFolder(folder: string): void {
  const flags = ['pack', '--json', '--loglevel=error', '--pack-destination', out];
  const [packed] = JSON.parse(execFileSync('npm', flags, { cwd: folder, encoding: 'utf8' })) as {
    filename: string;
    size: number;
    entryCount: number;
  }[];
  if (!packed) throw new Error('npm packed nothing.');
  console.log(`dist/${packed.filename}: ${packed.entryCount} files, ${Math.round(packed.size / 1024)} KiB`);
}

export function packClient(): void {
  layOutClient(clientStage);
  packFolder(clientStage);
}

if (import.meta.main) {
  if (process.argv.includes('--built') || (await compilePackages())) {
    layOut();
    packFolder(stage);
    packClient();
  } else process.exitCode = 1;
}
