/**
 * Prints packages/server/workflow.schema.json: the JSON Schema of workflow files, for editors that validate while typing.
 *   node --conditions=source tools/print-workflow-schema.ts [--check]
 *
 * The import validates files with the same schema, and the arguments of functions with those in `$defs`. References to states and
 * the syntax of conditions are checked by the import and by `milepost workflow lint`.
 */
import { WorkflowFile, writtenArguments } from '@milepost/definitions';
import { printOrCheck } from './printed-file.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = Record<string, Json>;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The import treats a key without a value (`callbacks:`) as absent. */
function orNull(schema: JsonObject): JsonObject {
  const { type, enum: words, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (type === undefined) return schema;
  return { ...schema, type: [type, 'null'], ...(Array.isArray(words) && { enum: [...words, null] }) };
}

function published(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(published);
  if (!isObject(schema)) return schema;
  // Internal keywords that other tools would warn about.
  const kept = Object.entries(schema).filter(([name]) => !name.startsWith('x-'));
  const result: JsonObject = Object.fromEntries(kept.map(([name, inner]) => [name, published(inner)]));
  return isObject(result['properties']) ? { ...result, properties: withOptionalNulls(result) } : result;
}

function withOptionalNulls({ properties, required }: JsonObject): JsonObject {
  const needed = Array.isArray(required) ? required : [];
  const entries = Object.entries(isObject(properties ?? null) ? (properties as JsonObject) : {});
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, isObject(inner) && !needed.includes(name) ? orNull(inner) : inner]),
  );
}

/** A placeholder can become any text. */
const placeholder: JsonObject = { type: 'string', pattern: String.raw`\{\{[^{}]*\}\}|\$[A-Za-z_]` };

/** The arguments of a function before placeholders are filled in. Unlike fields of the file, arguments can be null. */
function writtenSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(writtenSchema);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([name]) => !name.startsWith('x-'));
  const result: JsonObject = Object.fromEntries(kept.map(([name, inner]) => [name, writtenSchema(inner)]));
  const { description, ...wanted } = result;
  const isLimited = ['enum', 'pattern', 'format'].some((keyword) => keyword in wanted);
  if (wanted['type'] !== 'string' || !isLimited) return result;
  return { ...(description !== undefined && { description }), anyOf: [wanted, placeholder] };
}

const definitionOf = (name: string) => `${name}_arguments`;

const argumentDefinitions = (): JsonObject =>
  Object.fromEntries(
    Object.entries(writtenArguments).map(([name, schema]) => [
      definitionOf(name),
      writtenSchema(JSON.parse(JSON.stringify(schema)) as Json),
    ]),
  );

/** The arguments that a callback needs depend on its function. */
const argumentRules = (): Json[] =>
  Object.entries(writtenArguments).map(([name, schema]) => {
    const isRequired = ((schema as { required?: string[] }).required ?? []).length > 0;
    const anyOf = [{ $ref: `#/$defs/${definitionOf(name)}` }, { type: 'string' }];
    return {
      if: { properties: { function: { const: name } }, required: ['function'] },
      // oxlint-disable-next-line unicorn/no-thenable -- A keyword of JSON Schema.
      then: {
        properties: { callback_arguments: { anyOf: isRequired ? anyOf : [...anyOf, { type: 'null' }] } },
        ...(isRequired && { required: ['callback_arguments'] }),
      },
    };
  });

/** A deep copy with `allOf` in the schema of callbacks. */
function withArgumentRules(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema);
  const callbacks = ['properties', 'states', 'items', 'properties', 'callbacks', 'items'].reduce<Json>(
    (inner, name) => (isObject(inner) ? (inner[name] ?? null) : null),
    copy,
  );
  if (!isObject(callbacks)) throw new Error('The schema has no callbacks.');
  callbacks['allOf'] = argumentRules();
  return { ...copy, $defs: argumentDefinitions() };
}

export function workflowSchemaText(): string {
  const schema = published(JSON.parse(JSON.stringify(WorkflowFile)) as Json);
  if (!isObject(schema)) throw new Error('The schema is not an object.');
  const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Milepost workflow file' };
  return `${JSON.stringify({ ...head, ...withArgumentRules(schema) }, undefined, 2)}\n`;
}

if (import.meta.main) {
  const file = 'packages/server/workflow.schema.json';
  await printOrCheck({ file, text: workflowSchemaText(), command: 'npm run print' });
}
