/** The thread of read-yaml.ts. */
import type { TSchema } from 'typebox';
import { answerEach } from './answer-each.ts';
import { parseYaml } from './parse-yaml.ts';

/** By their text. There are as many as the program has, and each is compiled once: the compiler forgets none. */
const schemas = new Map<string, TSchema>();

function schemaOf(text: string): TSchema {
  const schema = schemas.get(text) ?? (JSON.parse(text) as TSchema);
  schemas.set(text, schema);
  return schema;
}

answerEach(({ text, schema, pointer }: { text: string; schema: string; pointer: string }) =>
  parseYaml(text, schemaOf(schema), pointer),
);
