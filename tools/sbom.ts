/**
 * The bill of materials of what `npm run pack` makes, as `npm sbom` prints it (CycloneDX): every package of others that runs with the
 * server or stands in its pages, with the exact version of the lock. npm is shown manifests and lock without what only
 * development needs: told to omit it, it leaves out what development and production both use.
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
  components: { name: string; version: string; purl: string; hashes?: object[] }[];
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(fromRoot(file), 'utf8'));
const readManifest = (folder: string) => readJson(join(folder, 'package.json')) as Locked;

export const readLock = (): Lock => readJson('package-lock.json') as Lock;

const withoutDevelopment = (one: Locked): Locked => ({ ...one, devDependencies: {} });

/** What is in the lock for production: ours, by folder, and that of others, below node_modules. */
export function productionPackages({ packages }: Pick<Lock, 'packages'>): [place: string, Locked][] {
  return Object.entries(packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
}

/** Components of others, as `name@version`. */
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
  // npm names the whole by its version, which the workspace itself does not have.
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
  // npm calls the whole by the name of its folder.
  const folder = join(parent, 'milepost-workspace');
  try {
    layOut(folder, version);
    const flags = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'];
    return JSON.parse(execFileSync('npm', flags, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 })) as Sbom;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
