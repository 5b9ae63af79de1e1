/** Replaces characters that PostgreSQL cannot store in text: NUL and lone surrogates. */
import { mapStrings } from './map-strings.ts';

const maxDepth = 32;

const storableText = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD');

export const storable = <T>(value: T): T => mapStrings(value, storableText, true) as T;

/** Parses JSON. Undefined if it is invalid or nested deeper than 32 levels. */
export function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, maxDepth) ? undefined : value;
  } catch {
    return undefined;
  }
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));
