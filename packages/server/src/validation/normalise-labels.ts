/** Normalises labels to Unicode NFC before validation. The schema marks them with `x-label`. */
import type { TSchema } from 'typebox';

interface LabelSchema {
  'x-label'?: boolean;
  type?: string;
  items?: TSchema;
  properties?: Record<string, TSchema>;
  anyOf?: TSchema[];
}

export function normaliseLabels(schema: TSchema | undefined, value: unknown): unknown {
  // Arbitrary JSON contains no labels and can be large.
  if (schema === undefined) return value;
  const known: LabelSchema = schema;
  if (typeof value === 'string') return known['x-label'] ? value.normalize('NFC') : value;
  if (Array.isArray(value)) return value.map((element) => normaliseLabels(itemsOf(known), element));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, normaliseLabels(known.properties?.[name], inner)]),
  );
}

/** The items of a list, or of the branch of a union that is a list. */
const itemsOf = ({ items, anyOf = [] }: LabelSchema): TSchema | undefined =>
  items ?? anyOf.map((branch: LabelSchema) => branch.items).find((branch) => branch !== undefined);
