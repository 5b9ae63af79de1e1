/**
 * Failures of the same kind have causes that differ in values only: numbers, dates, ids, paths, addresses and quoted names. Without
 * them, the causes are the same, and so is the key of their group.
 */
import { createHash } from 'node:crypto';

/** Replaces a value in a shown cause. */
const value = '…';

const units = '(?:[kmgt]i?b|bytes?|ms|s|sec|min|h|mm|cm|hz|%|°c)';
const weekday = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?';
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

/** In this order: later ones see what earlier ones left. */
const values: readonly (readonly [RegExp, string | ((word: string) => string)])[] = [
  // https://xnat.example.org/data/1, s3://scans/a
  [/\b[a-z][\w+.-]*:\/\/[^\s"'<>`)\]]+/gi, value],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, value],
  // "a b", 'a b', `a b`, “a b”. An apostrophe inside a word is none.
  [/"(?:[^"\\]|\\.)*"|`[^`]*`|“[^”]*”|«[^»]*»|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu, value],
  // /scratch/a/b.nii, ./a, ~/a, C:\a\b, a/b/c
  [/(?<![\w…])(?:[a-z]:)?(?:[~.]{0,2}[/\\][\w.@%+=~,:-]*[\w…])+[/\\]?/gi, value],
  [/(?<![\w…])[\w.-]+(?:\/[\w.-]+){2,}\/?/g, value],
  [
    /(?<![\w…])[\w-]+\.(?:nii(?:\.gz)?|dcm|json|csv|tsv|gz|zip|tar|log|txt|py|sh|xml|ya?ml|mgz|h5|bvec|bval)\b/gi,
    value,
  ],
  // The tag of a DICOM field
  [/\([0-9a-f]{4}, ?[0-9a-f]{4}\)/gi, value],
  // Words with a digit: 12, 0x7f, 1.2.840.10008, 2026-11-17T10:00:00Z, MC-0029-month-24
  [/[+-]?[\p{L}\p{N}_]+(?:[-.:+_,][\p{L}\p{N}_]+)*/gu, (word) => (/\p{N}/u.test(word) ? value : word)],
  [new RegExp(`${value} ?${units}(?![\\p{L}])`, 'giu'), value],
  // Tue Nov 17, 17 November
  [new RegExp(`\\b(?:${weekday},? )?${month}\\.? (?=${value})`, 'gi'), ''],
  [new RegExp(`(?<=${value}) ${month}\\b\\.?`, 'gi'), ''],
  [new RegExp(`\\b${weekday},? (?=${value})`, 'gi'), ''],
  // A long word without a digit is an id, too.
  [/\b[a-f]{12,}\b|\b[\w+/=-]{32,}/gi, value],
  // 1, 2 and 5; (1,2); [1 2]
  [
    new RegExp(`[([{]?${value}(?:(?:\\s*(?:,|;|-|–|:|×|/|and|or|to|of)\\s*|\\s+)[([{]?${value}[)\\]}]?)+[)\\]}]?`, 'g'),
    value,
  ],
  [new RegExp(`[([{]${value}[)\\]}]`, 'g'), value],
];

/** The cause with a mark in place of each value. */
export const withoutValues = (cause: string): string =>
  values
    .reduce((text, [form, instead]) => text.replaceAll(form, instead as string), cause)
    // The mark also ends the sentence.
    .replaceAll(/…\.(?=\s|$)/g, value)
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Longer causes end differently, because they are cut. */
const maxCompared = 240;

/** The same for causes that differ in values, upper case, plurals after a number, or punctuation only. */
export function groupKey(cause: string): string {
  const compared = withoutValues(cause)
    .toLowerCase()
    .replaceAll(/… (\p{L}{3,}?)s\b/gu, '… $1')
    .replaceAll(/[^\p{L}…]+/gu, ' ')
    .trim()
    .slice(0, maxCompared);
  return createHash('sha256').update(compared).digest('hex').slice(0, 16);
}
