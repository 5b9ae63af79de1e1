/**
 * Brings the values of a request into the form that its schema describes, before validation: labels in Unicode NFC, times with a UTC
 * offset, dates without a time, and no null where null means absent. Invalid values stay as they are.
 */
import type { TSchema } from 'typebox';
import { dayAtMidnight, withOffset } from './formats.ts';

interface ValueSchema {
  'x-label'?: boolean;
  'x-null'?: string;
  type?: string;
  format?: string;
  items?: TSchema;
  properties?: Record<string, TSchema>;
  anyOf?: TSchema[];
}

export function normalise(schema: TSchema | undefined, value: unknown): unknown {
  // Arbitrary JSON has no normal form and can be large.
  if (schema === undefined) return value;
  if (typeof value === 'string') return normaliseText(branchOf(schema, 'string'), value);
  if (Array.isArray(value)) return value.map((element) => normalise(branchOf(schema, 'array').items, element));
  if (typeof value !== 'object' || value === null) return value;
  const { properties = {} } = branchOf(schema, 'object');
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => normaliseField(properties, name, inner)));
}

/** The branch of a union that describes values of this type. */
const branchOf = (schema: ValueSchema, type: string): ValueSchema =>
  schema.anyOf?.find((branch: ValueSchema) => branch.type === type) ?? schema;

function normaliseText({ 'x-label': isLabel, format }: ValueSchema, text: string): string {
  if (isLabel) return text.normalize('NFC');
  if (format === 'date-time') return withOffset(text);
  return format === 'date' ? dayAtMidnight(text) : text;
}

function normaliseField(properties: Record<string, TSchema>, name: string, value: unknown): [string, unknown][] {
  const field: ValueSchema | undefined = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return value === null && field?.['x-null'] === 'absent' ? [] : [[name, normalise(field, value)]];
}
