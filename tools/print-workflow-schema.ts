/**
 * Prints packages/server/workflow.schema.json: the JSON Schema of workflow files, for editors that validate while typing.
 *   node --conditions=source tools/print-workflow-schema.ts [--check]
 *
 * The import validates files with the same schema. References to states and the syntax of conditions are checked by the import
 * only.
 */
import { WorkflowFile } from '@milepost/definitions';
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

export function workflowSchemaText(): string {
  const schema = published(JSON.parse(JSON.stringify(WorkflowFile)) as Json);
  const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Milepost workflow file' };
  return `${JSON.stringify(isObject(schema) ? { ...head, ...schema } : schema, undefined, 2)}\n`;
}

if (import.meta.main) {
  const file = 'packages/server/workflow.schema.json';
  await printOrCheck({ file, text: workflowSchemaText(), command: 'npm run print' });
}
