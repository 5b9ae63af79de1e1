/**
 * The software bill of materials of the package, from `npm sbom` (CycloneDX): every third-party package that the server or its pages
 * use, in its locked version. npm gets manifests and a lock without development dependencies, because its own `--omit` also drops
 * packages that production uses.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fromRoot } from './printed-file.ts';

interface Locked {
  version?: string;
  dev?: boolean;
  devOptional?: boolean;
  link?: boolean;
  integrity?: string;
  devDependencies?: Record<string, string>;
}

export interface Lock {
  packages: Record<string, Locked>;
  [field: string]: unknown;
}

export interface Sbom {
  bomFormat: string;
  serialNumber?: string;
  metadata: { timestamp?: string };
  components: { name: string; version: string; purl: string; hashes?: object[] }[];
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(fromRoot(file), 'utf8'));
const readManifest = (folder: string) => readJson(join(folder, 'package.json')) as Locked;

export const readLock = (): Lock => readJson('package-lock.json') as Lock;

const withoutDevelopment = (one: Locked): Locked => ({ ...one, devDependencies: {} });

/** The packages of the lock that run in production: ours, and those below node_modules. */
export function productionPackages({ packages }: Pick<Lock, 'packages'>): [place: string, Locked][] {
  return Object.entries(packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
}

/** Third-party components as `name@version`. */
export const foreignComponents = (lock: Pick<Lock, 'packages'>): string[] =>
  productionPackages(lock)
    .filter(([place, { link }]) => place.includes('node_modules/') && !link)
    .map(([place, { version }]) => `${place.split('node_modules/').at(-1)}@${version}`);

function layOut(folder: string, version: string): void {
  const write = (file: string, value: object) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), JSON.stringify(value));
  };
  const lock = readLock();
  const packages = Object.fromEntries(
    productionPackages(lock).map(([place, locked]) => [place, withoutDevelopment(locked)]),
  );
  // npm needs a version for the root, which the workspace does not have.
  const whole = { ...packages[''], version };
  write('package.json', { ...withoutDevelopment(readManifest('.')), version });
  write('package-lock.json', { ...lock, version, packages: { ...packages, '': whole } });
  for (const place of Object.keys(packages).filter(
    (one) => one.startsWith('packages/') && !one.includes('node_modules'),
  ))
    write(`${place}/package.json`, withoutDevelopment(readManifest(place)));
}

export function makeSbom(version: string): Sbom {
  const parent = mkdtempSync(join(tmpdir(), 'milepost-sbom-'));
  // npm names the root after its folder.
  const folder = join(parent, 'milepost-workspace');
  try {
    layOut(folder, version);
    const flags = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'];
    const sbom = JSON.parse(execFileSync('npm', flags, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 })) as Sbom;
    // The same sources must give the same package.
    delete sbom.serialNumber;
    delete sbom.metadata.timestamp;
    return sbom;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
