/**
 * YAML from people: parsed and held against a schema, every fault at once with line and column. A large document takes
 * long enough to hold up other requests, so it is read in a worker thread.
 */
import type { TSchema } from 'typebox';
import { parseYaml, refused, type YamlDocument } from './parse-yaml.ts';
import { runInThread, threadFile } from './run-in-thread.ts';

const thread = threadFile('parse-yaml-thread', import.meta.url);
/** Above this many characters a text is read in a thread. */
export const largestInline = 8 * 1024;

/** `pointer` is where the text itself stands in the body. */
export async function readYaml(text: string, schema: TSchema, pointer: string): Promise<YamlDocument> {
  if (text.length <= largestInline) return parseYaml(text, schema, pointer);
  const read = await runInThread<YamlDocument>(thread, { text, schema: JSON.stringify(schema), pointer });
  return read ?? refused([tooCostly(pointer)]);
}

export const tooCostly = (pointer: string) => ({
  pointer,
  detail: 'The text takes too much time or memory to read: split it.',
});
