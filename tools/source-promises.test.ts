import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { operations, type Operation } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { fromRoot } from './printed-file.ts';
import { breaks, promises } from './source-promises.ts';

/** The sources of the product, without tests and tools. */
const sources = execFileSync(
  'git',
  ['-c', 'safe.directory=*', 'ls-files', '-co', '--exclude-standard', '--deduplicate', 'packages'],
  { cwd: fromRoot('.'), encoding: 'utf8' },
)
  .trim()
  .split('\n')
  .filter((file) => /\/(?:src|migrations)\/.*\.(?:tsx?|sql)$|\.html$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file): [string, string] => [file, readFileSync(fromRoot(file), 'utf8')]);

/** Expects that only the listed exceptions break the promise, and that its pattern finds the example. */
function expectKept(what: string): void {
  const promise = promises.find((one) => one.what === what);
  if (!promise) throw new Error(`No promise "${what}".`);
  const broken = sources.filter(([file, text]) => breaks(promise, file, text)).map(([file]) => file);
  expect(broken.toSorted()).toEqual(Object.keys(promise.except ?? {}).toSorted());
  expect(promise.forbidden.test(promise.example)).toBe(true);
}

describe('the source file search', () => {
  it('finds more than 500 files', () => {
    expect(sources.length).toBeGreaterThan(500);
  });
});

describe('the source code', () => {
  it('never evaluates text as code (V1.3.2)', () => {
    expectKept('never evaluates text as code');
  });

  it('never builds a statement from text (V1.2.4)', () => {
    expectKept('never builds a statement from text');
  });

  it('never builds a regular expression from input (V1.2.9)', () => {
    expectKept('never builds a regular expression from input');
  });

  it('never starts a program through a shell (V1.2.5)', () => {
    expectKept('never starts a program through a shell');
  });

  it('never uses input as a format string (V1.3.10)', () => {
    expectKept('never uses input as a format string');
  });

  it('uses no uninitialised memory and no native code of its own (V1.4.1)', () => {
    expectKept('uses no uninitialised memory and no native code of its own');
  });

  it('never puts text into a page as HTML (V3.2.2)', () => {
    expectKept('never puts text into a page as HTML');
  });

  it('never listens to messages from other windows (V3.5.5)', () => {
    expectKept('never listens to messages from other windows');
  });

  it('needs no browser plug-in (V3.7.1)', () => {
    expectKept('needs no browser plug-in');
  });

  it('redirects only to its own pages and configured addresses (V3.7.2)', () => {
    expectKept('redirects only to its own pages and configured addresses');
  });

  it('uses only the cryptography of Node and one password hash (V11.2.1)', () => {
    expectKept('uses only the cryptography of Node and one password hash');
  });

  it('uses no hash weaker than SHA-256 (V11.4.1, V11.4.3)', () => {
    expectKept('uses no hash weaker than SHA-256');
  });

  it('uses no hash weaker than SHA-256 in SQL (V11.4.1)', () => {
    expectKept('uses no hash weaker than SHA-256 in SQL');
  });

  it('encrypts nothing itself (V11.3.1, V11.3.2, V11.3.3)', () => {
    expectKept('encrypts nothing itself');
  });

  it('creates only Ed25519 keys (V11.6.1)', () => {
    expectKept('creates only Ed25519 keys');
  });

  it('creates secrets with at least 128 random bits (V6.5.3, V11.5.1)', () => {
    expectKept('creates secrets with at least 128 random bits');
  });

  it('writes its log to standard output only (V16.2.3)', () => {
    expectKept('writes its log to standard output only');
  });

  it('stores only display preferences in the browser (V14.3.3)', () => {
    expectKept('stores only display preferences in the browser');
  });
});

describe('the path or query of an operation', () => {
  it('has no parameter for a secret', () => {
    const secretive = /password|secret|^token$|_key$|credential/;
    const found = Object.entries<Operation>(operations).flatMap(([name, { path, query }]) =>
      [...[...path.matchAll(/\{(\w+)\}/g)].map(([, one = '']) => one), ...Object.keys(query?.properties ?? {})]
        .filter((parameter) => secretive.test(parameter))
        .map((parameter) => `${name}: ${parameter}`),
    );
    expect(found).toEqual([]);
    expect(secretive.test('secret_key')).toBe(true);
  });
});
