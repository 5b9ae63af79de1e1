/** Finds the imports in the sources of every package, including imports of types. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The text of each file, by its path from the root of the repository, such as `packages/server/src/app.ts`. */
export type Sources = Readonly<Record<string, string>>;

export interface Import {
  from: string;
  /** The path of a file in the repository, or the name of a package. */
  to: string;
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The sources of every package, without tests. */
export function readSources(): Sources {
  const packages = readdirSync(`${root}packages`);
  const files = packages.flatMap((name) => filesIn(`packages/${name}/src`));
  return Object.fromEntries(files.map((file) => [file, readFileSync(root + file, 'utf8')]));
}

const filesIn = (folder: string): string[] =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !isTest(file));

export const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);

/** `import ... from 'x'`, `export ... from 'x'`, `import 'x'` and `import('x')`. Strings with spaces are not import paths. */
const literalPath = /\b(?:from|import)\s*(?:\(\s*)?(?:'([^'\s]+)'|"([^"\s]+)")/g;
/** An import path that is computed at run time. */
const computedPath = /\bimport\(\s*([^'"\s)][^)]*)/g;

export const dynamicImport = 'dynamic import: ';

const pathsIn = (text: string): string[] => [
  ...[...text.matchAll(literalPath)].map(([, single, double]) => single ?? double ?? ''),
  ...[...text.matchAll(computedPath)].map(([, expression]) => `${dynamicImport}${expression}`),
];

export const importsIn = (sources: Sources): Import[] =>
  Object.entries(sources).flatMap(([from, text]) => pathsIn(text).map((path) => ({ from, to: target(from, path) })));

const target = (from: string, path: string): string =>
  path.startsWith('.') ? posix.join(posix.dirname(from), path) : path;

export interface Dependencies {
  dependencies?: Record<string, string>;
}

/** The dependencies in the package.json of a package. */
export const declaredDependencies = (name: string): string[] => {
  const { dependencies = {} }: Dependencies = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, 'utf8'));
  return Object.keys(dependencies);
};
