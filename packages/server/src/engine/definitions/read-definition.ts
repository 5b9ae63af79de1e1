/** Reads a definition file; a large one, with all its conditions, in a worker thread, so that it holds up nobody. */
import { readDefinitionFile, type DefinitionReading } from './read-definition-file.ts';
import { largestInline, tooCostly } from '../documents/read-yaml.ts';
import { runInThread, threadFile } from '../documents/run-in-thread.ts';

const thread = threadFile('read-definition-thread', import.meta.url);

/** `pointer` is where the text stands in the body. */
export async function readDefinition(text: string, pointer: string): Promise<DefinitionReading> {
  if (text.length <= largestInline) return readDefinitionFile(text, pointer);
  const read = await runInThread<string>(thread, { text, pointer });
  return read === undefined
    ? { definition: undefined, faults: [tooCostly(pointer)] }
    : (JSON.parse(read) as DefinitionReading);
}
