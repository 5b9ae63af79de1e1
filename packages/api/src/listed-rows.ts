/** The lists among the operations, and the columns of their rows. Every list is also available as CSV and as JSON lines. */
import type { Operation } from './operation.ts';
import { asJsonSchema, type JsonSchema } from './schema.ts';

export interface ListedRows {
  /** The field of the response that has the rows. */
  key: string;
  row: JsonSchema;
  /** The largest page, if the list is limited to pages. */
  pageSize: number | undefined;
}

/** Undefined for operations that are no lists with pages. If a response has several arrays, the first one has the rows. */
export function listedRows({ method, query, response, stream, lines }: Operation): ListedRows | undefined {
  const { limit, after, before } = asJsonSchema(query ?? response).properties ?? {};
  if (method !== 'GET' || stream || lines || limit === undefined || (after ?? before) === undefined) return undefined;
  const found = Object.entries(asJsonSchema(response).properties ?? {}).find(([, { items }]) => items !== undefined);
  if (found?.[1].items === undefined) return undefined;
  const { maximum = Infinity } = limit as { maximum?: number };
  return { key: found[0], row: found[1].items, pageSize: maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined };
}

/** A column, as the path to its value. */
export interface Column {
  name: string;
  path: readonly string[];
}

const withoutNull = (schema: JsonSchema): JsonSchema[] =>
  schema.anyOf === undefined ? (schema.type === 'null' ? [] : [schema]) : schema.anyOf.flatMap(withoutNull);

/** Undefined for values without named fields, which are one column. */
function fieldsOf(schema: JsonSchema): [string, JsonSchema][] | undefined {
  const fields = withoutNull(schema).flatMap(({ properties = {} }) => Object.entries(properties));
  return fields.length === 0 ? undefined : [...new Map(fields)];
}

/** All columns of a row. A field of an inner object has a dotted name. A list and an object with arbitrary keys are one column. */
export const columnsOf = (row: JsonSchema, path: readonly string[] = []): Column[] =>
  fieldsOf(row)?.flatMap(([name, field]) => columnsOf(field, [...path, name])) ?? [{ name: path.join('.'), path }];

const hasArbitraryKeys = (schema: JsonSchema) =>
  withoutNull(schema).some(({ additionalProperties }) => typeof additionalProperties === 'object');

/**
 * Undefined if there is no such column. A key of an object with arbitrary keys is also a column: `external_ids.XNAT`. So is a field of the
 * elements of a list: `incidents.kind`.
 */
export function findColumn(row: JsonSchema, name: string, path: readonly string[] = []): Column | undefined {
  const rest = name.split('.').slice(path.length);
  const fields = fieldsOf(row);
  if (fields !== undefined) {
    const [, inner] = fields.find(([field]) => field === rest[0]) ?? [];
    return inner && rest[0] !== undefined ? findColumn(inner, name, [...path, rest[0]]) : undefined;
  }
  if (rest.length === 0) return { name, path };
  const [element] = withoutNull(row).flatMap(({ items }) => items ?? []);
  if (element) return findColumn(element, name, path);
  return hasArbitraryKeys(row) ? { name, path: [...path, rest.join('.')] } : undefined;
}
