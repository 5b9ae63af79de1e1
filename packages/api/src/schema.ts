/** Reading the schemas as plain JSON Schema. */
import type { TSchema } from 'typebox';
import { answerSchemas, type Operation, type Operations } from './operation.ts';
import { Problem } from './problem.ts';

/** The part of JSON Schema that our schemas use and that we look into. */
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
  readOnly?: boolean;
}

export const asJsonSchema = (schema: TSchema): JsonSchema => schema;

/** The schemas directly inside this one. */
const inside = ({ items, anyOf = [], properties = {} }: JsonSchema): JsonSchema[] => [
  ...(items === undefined ? [] : [items]),
  ...anyOf,
  ...Object.values(properties),
];

const withAllInside = (schema: JsonSchema): JsonSchema[] => [schema, ...inside(schema).flatMap(withAllInside)];

const schemasOf = (operation: Operation): TSchema[] => [
  ...(operation.body === undefined ? [] : [operation.body]),
  ...answerSchemas(operation),
];

/** Every schema with a title that the operations use, in the order of their first use. */
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

/** A plain copy in which what has a title is referred to, except the schema itself. */
export const withReferencesInside = (schema: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'properties' ? fieldsCopied(value) : copied(value)]),
  );

/** A plain copy in which what has a title is referred to. */
export const withReferences = (schema: object): Record<string, unknown> =>
  'title' in schema && typeof schema.title === 'string'
    ? { $ref: `#/components/schemas/${schema.title}` }
    : withReferencesInside(schema);

/** Fields are named by us, and one of them may be called `title`. */
const fieldsCopied = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, copied(schema)]));
