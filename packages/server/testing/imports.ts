/** What the sources of every package import, read from their text: types count, too. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Texts by file, from the root of the repository: `packages/server/src/app.ts`. */
export type Sources = Readonly<Record<string, string>>;

export interface Import {
  from: string;
  /** A file of the repository, or the name of a package. */
  to: string;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Every source of every package, without tests. */
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

/** `import ... from 'x'`, `export ... from 'x'`, `import 'x'`, `import('x')`; also of types. Texts for people have spaces. */
const named = /\b(?:from|import)\s*(?:\(\s*)?(?:'([^'\s]+)'|"([^"\s]+)")/g;
/** A name that is put together at run time. */
const unnamed = /\bimport\(\s*([^'"\s)][^)]*)/g;

export const unreadable = 'what cannot be read here: ';

const namesIn = (text: string): string[] => [
  ...[...text.matchAll(named)].map(([, single, double]) => single ?? double ?? ''),
  ...[...text.matchAll(unnamed)].map(([, expression]) => `${unreadable}${expression}`),
];

export const importsIn = (sources: Sources): Import[] =>
  Object.entries(sources).flatMap(([from, text]) => namesIn(text).map((name) => ({ from, to: target(from, name) })));

const target = (from: string, name: string): string =>
  name.startsWith('.') ? posix.join(posix.dirname(from), name) : name;

export interface Dependencies {
  dependencies?: Record<string, string>;
}

/** What a package says it needs where it is installed. */
export const declaredDependencies = (name: string): string[] => {
  const { dependencies = {} }: Dependencies = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, 'utf8'));
  return Object.keys(dependencies);
};
