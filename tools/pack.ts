/**
 * `npm run pack`: builds dist/milepost-VERSION.tgz and dist/milepost-cli-VERSION.tgz, which has the command line without the server; with
 * `--built`, packs the existing build. Our packages are bundled in their node_modules; npm fetches third-party packages in the exact
 * versions that we test with. See docs/decisions/0025 and 0054.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilePackages } from './build-packages.ts';
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

/** A package, with our packages that are bundled in it. */
interface Product {
  folder: string;
  /** What users install. */
  name: string;
  stage: string;
  inside: readonly string[];
}

const out = fromRoot('dist');

const server: Product = {
  folder: 'packages/milepost',
  name: 'milepost',
  stage: join(out, 'package'),
  inside: ['packages/api', 'packages/definitions', 'packages/server', 'packages/cli'],
};
const client: Product = {
  folder: 'packages/cli',
  name: 'milepost-cli',
  stage: join(out, 'client-package'),
  inside: ['packages/api', 'packages/definitions'],
};

/** The files that a bundled package needs at run time besides its build. */
const alsoNeeded: Record<string, readonly string[]> = {
  'packages/server': ['migrations', 'workflow.schema.json', 'breached-passwords.bin'],
};

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
function putInside(stage: string, folder: string): void {
  const { name, version, license, type, exports, engines } = readManifest(folder);
  const to = join(stage, 'node_modules', name);
  copyBuilt(folder, to);
  for (const file of alsoNeeded[folder] ?? [])
    cpSync(fromRoot(`${folder}/${file}`), join(to, file), { recursive: true });
  writeManifest(to, { name, version, license, type, exports, engines });
}

function wholeManifest({ folder, name, inside }: Product): Manifest {
  const { private: _, devDependencies: _ours, ...manifest } = readManifest(folder);
  const parts = inside.map(readManifest);
  const all = Object.assign({}, ...parts.map(({ dependencies }) => dependencies), manifest.dependencies) as object;
  const bundled = parts.map((part) => part.name);
  const versions = Object.fromEntries(parts.map((part) => [part.name, part.version]));
  const dependencies = Object.fromEntries(
    Object.entries({ ...all, ...versions }).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  return { ...manifest, name, dependencies, bundleDependencies: bundled };
}

function layOut(product: Product): void {
  const { folder, stage, inside } = product;
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  for (const one of inside) putInside(stage, one);
  copyBuilt(folder, stage);
  cpSync(fromRoot('LICENSE'), join(stage, 'LICENSE'));
  writeManifest(stage, wholeManifest(product));
}

function layOutServer(): void {
  const { stage } = server;
  layOut(server);
  // Without the pages, the server serves the API only.
  if (existsSync(fromRoot('packages/web/dist'))) {
    cpSync(fromRoot('packages/web/dist'), join(stage, 'web'), { recursive: true });
  }
  for (const file of ['examples', 'README.md']) cpSync(fromRoot(file), join(stage, file), { recursive: true });
  writeSbom(stage);
}

function layOutClient(): void {
  layOut(client);
  cpSync(fromRoot('docs/reference/command-line.md'), join(client.stage, 'README.md'));
}

/** Inside the package for those who have installed it, and beside it for those who review it first. */
function writeSbom(stage: string): void {
  const { version } = readManifest(server.folder);
  const text = `${JSON.stringify(makeSbom(version), null, 2)}\n`;
  for (const file of [join(stage, 'sbom.cdx.json'), join(out, `milepost-${version}.cdx.json`)])
    writeFileSync(file, text);
}

const fileOf = ({ folder, name }: Product): string => join(out, `${name}-${readManifest(folder).version}.tgz`);
export const packageFile = (): string => fileOf(server);
export const clientPackageFile = (): string => fileOf(client);

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
  layOutClient();
  packFolder(client.stage);
}

if (import.meta.main) {
  if (process.argv.includes('--built') || (await compilePackages())) {
    layOutServer();
    packFolder(server.stage);
    packClient();
  } else process.exitCode = 1;
}
