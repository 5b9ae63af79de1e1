/**
 * Texts that no file of the repository may contain: paths of one machine, the host of a package mirror, or a size limit that is
 * switched off.
 */
import { textOf, trackedFiles } from './tracked-files.ts';

interface Forbidden {
  what: string;
  text: RegExp;
  /** Only in files whose name matches. */
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

/** One sentence for each forbidden text. */
export const findForbidden = (file: string, text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      forbidden
        .filter((rule) => (rule.inFiles?.test(file) ?? true) && rule.text.test(line))
        .map(({ what, text: pattern }) => `${file}:${index + 1}: ${what}: ${pattern.exec(line)?.[0]}`),
    );

if (import.meta.main) {
  const found = trackedFiles().flatMap((file) => findForbidden(file, textOf(file)));
  for (const sentence of found) console.error(sentence);
  if (found.length > 0) process.exitCode = 1;
}
