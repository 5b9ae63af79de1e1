/** What comes from outside, made fit to be stored: PostgreSQL takes neither NUL nor halves of characters in texts. */
import { mapTexts } from './map-texts.ts';

const deepest = 32;

const storableText = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD');

export const storable = <T>(value: T): T => mapTexts(value, storableText, true) as T;

/** The value of a JSON text; undefined if it is none, or nested deeper than anybody reads. */
export function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, deepest) ? undefined : value;
  } catch {
    return undefined;
  }
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));
