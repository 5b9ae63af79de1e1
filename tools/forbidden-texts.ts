/**
 * What no file of the repository may say: where one machine keeps its files, from which mirror its packages came, or
 * that a limit does not hold here. Another machine would be misled, and people would read what is nobody's business.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fromRoot } from './printed-file.ts';

interface Forbidden {
  what: string;
  text: RegExp;
  /** Only in files that end so. */
  inFiles?: RegExp;
}

const forbidden: Forbidden[] = [
  { what: 'a path of one machine', text: /(?<![\w.~})-])\/(?:work|root|home|Users)\/[\w.-]+/ },
  { what: 'a path of one machine', text: /\b[A-Z]:\\Users\\\w+/ },
  {
    what: 'the host of a registry',
    text: /\b(?:registry|npm|nexus|artifactory|verdaccio|mirrors?)(?:\.[\w-]+)+\.[a-z]{2,}\b/,
  },
  { what: 'a host that packages came from', text: /"resolved": "(?:git\+)?\w+:\/\//, inFiles: /package-lock\.json$/ },
  { what: 'a registry', text: /registry\s*=|_authToken/, inFiles: /\.npmrc$/ },
  { what: 'a limit of size that is switched off', text: /(?:ox|es)lint-disable[^\n]*max-lines/ },
];

/** One sentence for each line that says something it must not. */
export const findForbidden = (file: string, text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      forbidden
        .filter((rule) => (rule.inFiles?.test(file) ?? true) && rule.text.test(line))
        .map(({ what, text: pattern }) => `${file}:${index + 1}: ${what}: ${pattern.exec(line)?.[0]}`),
    );

const trackedFiles = (): string[] =>
  execFileSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z', '--deduplicate'], {
    cwd: fromRoot('.'),
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => file !== '');

/** Text only, and nothing for a file that is deleted but not yet committed as such. */
function textOf(file: string): string {
  try {
    const text = readFileSync(fromRoot(file), 'utf8');
    return text.includes('\0') ? '' : text;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

if (import.meta.main) {
  const found = trackedFiles().flatMap((file) => findForbidden(file, textOf(file)));
  for (const sentence of found) console.error(sentence);
  if (found.length > 0) process.exitCode = 1;
}
