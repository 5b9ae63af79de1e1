import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { operations, type Operation } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { fromRoot } from './printed-file.ts';
import { breaks, promises } from './source-promises.ts';

/** Of the product; tests and tools do not run where it is installed. */
const sources = execFileSync(
  'git',
  ['-c', 'safe.directory=*', 'ls-files', '-co', '--exclude-standard', '--deduplicate', 'packages'],
  { cwd: fromRoot('.'), encoding: 'utf8' },
)
  .trim()
  .split('\n')
  .filter((file) => /\/(?:src|migrations)\/.*\.(?:tsx?|sql)$|\.html$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file): [string, string] => [file, readFileSync(fromRoot(file), 'utf8')]);

/** Nothing breaks it, every exception is still one, and what it forbids would be found. */
function expectKept(what: string): void {
  const promise = promises.find((one) => one.what === what);
  if (!promise) throw new Error(`There is no promise that ${what}.`);
  const broken = sources.filter(([file, text]) => breaks(promise, file, text)).map(([file]) => file);
  expect(broken.toSorted()).toEqual(Object.keys(promise.except ?? {}).toSorted());
  expect(promise.forbidden.test(promise.example)).toBe(true);
}

describe('of all sources', () => {
  it('some hundreds are read', () => {
    expect(sources.length).toBeGreaterThan(500);
  });

  it('no text becomes code (V1.3.2)', () => {
    expectKept('no text becomes code');
  });

  it('no statement is put together of text (V1.2.4)', () => {
    expectKept('no statement is put together of text');
  });

  it('no regular expression is made of what somebody sent (V1.2.9)', () => {
    expectKept('no regular expression is made of what somebody sent');
  });

  it('no program is started by a shell (V1.2.5)', () => {
    expectKept('no program is started by a shell');
  });

  it('no words of others are a format (V1.3.10)', () => {
    expectKept('no words of others are a format');
  });

  it('no memory is used before it is filled, and no native code is ours (V1.4.1)', () => {
    expectKept('no memory is used before it is filled, and no native code is ours');
  });

  it('no text is put into a page as HTML (V3.2.2)', () => {
    expectKept('no text is put into a page as HTML');
  });

  it('no page hears messages of other windows, only of its own origin (V3.5.5)', () => {
    expectKept('no page hears messages of other windows, only of its own origin');
  });

  it('no page needs a plug-in (V3.7.1)', () => {
    expectKept('no page needs a plug-in');
  });

  it('nobody is sent elsewhere but to places that are ours or configured (V3.7.2)', () => {
    expectKept('nobody is sent elsewhere but to places that are ours or configured');
  });

  it('no cryptography but that of Node and of one library for passwords (V11.2.1)', () => {
    expectKept('no cryptography but that of Node and of one library for passwords');
  });

  it('no hash is shorter or weaker than SHA-256 (V11.4.1, V11.4.3)', () => {
    expectKept('no hash is shorter or weaker than SHA-256');
  });

  it('no hash of the database is shorter or weaker either (V11.4.1)', () => {
    expectKept('no hash of the database is shorter or weaker either');
  });

  it('nothing is enciphered here, so in no weak way (V11.3.1, V11.3.2, V11.3.3)', () => {
    expectKept('nothing is enciphered here, so in no weak way');
  });

  it('keys are of the curve Ed25519 alone (V11.6.1)', () => {
    expectKept('keys are of the curve Ed25519 alone');
  });

  it('what must not be guessed is of 128 random bits or more (V6.5.3, V11.5.1)', () => {
    expectKept('what must not be guessed is of 128 random bits or more');
  });

  it('the log goes to standard output and nowhere else (V16.2.3)', () => {
    expectKept('the log goes to standard output and nowhere else');
  });

  it('a browser keeps nothing but how things are shown (V14.3.3)', () => {
    expectKept('a browser keeps nothing but how things are shown');
  });
});

describe('an address', () => {
  it('never carries a secret of the interface', () => {
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
