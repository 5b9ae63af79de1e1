/** Labels are compared as one form of Unicode (NFC): the schema marks them, and this makes them so before they are checked. */
import type { TSchema } from 'typebox';

interface Known {
  'x-label'?: boolean;
  type?: string;
  items?: TSchema;
  properties?: Record<string, TSchema>;
  anyOf?: TSchema[];
}

export function normaliseLabels(schema: TSchema | undefined, value: unknown): unknown {
  // What is free to hold anything holds no labels, and may be large.
  if (schema === undefined) return value;
  const known: Known = schema;
  if (typeof value === 'string') return known['x-label'] ? value.normalize('NFC') : value;
  if (Array.isArray(value)) return value.map((element) => normaliseLabels(itemsOf(known), element));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, normaliseLabels(known.properties?.[name], inner)]),
  );
}

/** Of a list, or of that branch of a union that is one. */
const itemsOf = ({ items, anyOf = [] }: Known): TSchema | undefined =>
  items ?? anyOf.map((branch: Known) => branch.items).find((branch) => branch !== undefined);
