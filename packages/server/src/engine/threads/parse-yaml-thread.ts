/** The thread of read-yaml.ts. */
import type { TSchema } from 'typebox';
import { handleMessages } from './handle-messages.ts';
import { parseYaml } from '@milepost/definitions';

/** By their JSON. Each schema is compiled once, because the compiler never frees what it has compiled. */
const schemas = new Map<string, TSchema>();

function schemaOf(text: string): TSchema {
  const schema = schemas.get(text) ?? (JSON.parse(text) as TSchema);
  schemas.set(text, schema);
  return schema;
}

handleMessages(({ text, schema, pointer }: { text: string; schema: string; pointer: string }) =>
  parseYaml(text, schemaOf(schema), pointer),
);
