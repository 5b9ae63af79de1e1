/** Reads the TypeBox schemas as plain JSON Schema. */
import type { TSchema } from 'typebox';
import { responseSchemas, type Operation, type Operations } from './operation.ts';
import { Problem } from './problem.ts';

/** The part of JSON Schema that we read. */
export interface JsonSchema {
  title?: string;
  description?: string;
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  readOnly?: boolean;
  'x-null'?: 'absent' | 'rejected';
}

export const asJsonSchema = (schema: TSchema): JsonSchema => schema;

/**
 * The fields of an object for which null and absent are the same: in a request null means absent, and in a response a field
 * without a value is absent instead of null.
 */
export const absentIfNull = ({ properties = {} }: JsonSchema): string[] =>
  Object.keys(properties).filter((name) => properties[name]?.['x-null'] === 'absent');

const inside = ({ items, anyOf = [], properties = {} }: JsonSchema): JsonSchema[] => [
  ...(items === undefined ? [] : [items]),
  ...anyOf,
  ...Object.values(properties),
];

const withAllInside = (schema: JsonSchema): JsonSchema[] => [schema, ...inside(schema).flatMap(withAllInside)];

const schemasOf = (operation: Operation): TSchema[] => [
  ...(operation.body === undefined ? [] : [operation.body]),
  ...responseSchemas(operation),
];

/** All titled schemas of the operations, in order of first use. */
export const titledSchemas = (operations: Operations): Map<string, JsonSchema[]> => {
  const found = new Map<string, JsonSchema[]>();
  for (const schema of [...Object.values(operations).flatMap(schemasOf), Problem].flatMap(withAllInside)) {
    if (schema.title !== undefined) found.set(schema.title, [...(found.get(schema.title) ?? []), schema]);
  }
  return found;
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const copied = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copied);
  return isObject(value) ? withReferences(value) : value;
};

/** Like `withReferences`, but does not replace the schema itself. */
export const withReferencesInside = (schema: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'properties' ? fieldsCopied(value) : copied(value)]),
  );

/** A plain copy in which every titled schema is replaced by a `$ref`. */
export const withReferences = (schema: object): Record<string, unknown> =>
  'title' in schema && typeof schema.title === 'string'
    ? { $ref: `#/components/schemas/${schema.title}` }
    : withReferencesInside(schema);

/** Separate from `copied`, because a field can be called `title`. */
const fieldsCopied = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, copied(orNull(schema))]));

/** Null is removed before validation if it means absent, so the schema of the field does not mention it. */
function orNull(schema: JsonSchema): JsonSchema {
  const { 'x-null': onNull, description, ...value } = schema;
  if (onNull !== 'absent' || value.anyOf?.some(({ type }) => type === 'null')) return schema;
  return { anyOf: [value, { type: 'null' }], 'x-null': onNull, ...(description !== undefined && { description }) };
}
