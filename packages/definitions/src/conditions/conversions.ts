/**
 * The functions int, str and trim, which follow Python, except as listed in docs/reference/conditions.md. Python's text of a list,
 * a map or a large number cannot be given, because it depends on details that JSON does not have.
 */
import { describeValue } from './shortening.ts';
import { Failure, kindNames, kindOf, type Outcome } from './values.ts';

/** The characters that Python's strip() removes. JavaScript's trim() keeps five of them and removes U+FEFF. */
const blanks =
  '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

/** Python's int() does not accept the separators U+001C to U+001F around the digits. */
const blanksAroundDigits = blanks.replace('\x1c\x1d\x1e\x1f', '');

export const trim = (text: string) => trimmed(text, blanks);

/** Not a pattern, because one for the end of a text takes quadratic time. */
function trimmed(text: string, removed: string): string {
  let [start, end] = [0, text.length];
  while (start < end && removed.includes(text.charAt(start))) start += 1;
  while (end > start && removed.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const wholeNumber = /^[-+]?[0-9]+(?:_[0-9]+)*$/;

/** Drops the fraction of a number, and reads text as a whole number. */
export function integerOf(value: unknown): Outcome {
  if (typeof value === 'boolean') return value ? 1 : 0;
  // Adding 0 turns -0 into 0.
  if (typeof value === 'number') return Math.trunc(value) + 0;
  if (typeof value !== 'string')
    return new Failure(`int needs a number, text, true or false, not ${kindNames[kindOf(value)]}`);
  const digits = trimmed(value, blanksAroundDigits);
  if (!wholeNumber.test(digits)) return new Failure(`${describeValue(value)} is not a whole number`);
  const number = Number(digits.replaceAll('_', '')) + 0;
  return Number.isSafeInteger(number) ? number : new Failure(tooLarge);
}

export function textOf(value: unknown): Outcome {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'number')
    return new Failure(`str needs text, a number, true, false or null, not ${kindNames[kindOf(value)]}`);
  if (Number.isInteger(value)) return Number.isSafeInteger(value) ? String(value) : new Failure(tooLarge);
  // Python writes small numbers with an exponent of two digits or more.
  return Math.abs(value) < 0.0001 ? value.toExponential().replace(/e-(\d)$/, 'e-0$1') : String(value);
}

const tooLarge = `the number is too large. Integers are exact only up to ${Number.MAX_SAFE_INTEGER.toLocaleString('en')}`;
