/**
 * Parses YAML and validates it against a schema, reporting all faults with line and column. Large documents are parsed in a
 * worker thread, because they would block other requests.
 */
import type { TSchema } from 'typebox';
import { parseYaml, rejected, type YamlDocument } from '@milepost/definitions';
import { runInThread, threadFile } from './run-in-thread.ts';

const thread = threadFile('parse-yaml-thread', import.meta.url);
/** Longer texts are parsed in a thread. */
export const maxInline = 8 * 1024;

/** `pointer` is the location of the text in the body. */
export async function readYaml(text: string, schema: TSchema, pointer: string): Promise<YamlDocument> {
  if (text.length <= maxInline) return parseYaml(text, schema, pointer);
  const read = await runInThread<YamlDocument>(thread, { text, schema: JSON.stringify(schema), pointer });
  return read ?? rejected([tooExpensive(pointer)]);
}

export const tooExpensive = (pointer: string) => ({
  code: 'file_limit',
  pointer,
  detail: 'The text takes too much time or memory to read. Split it.',
});
