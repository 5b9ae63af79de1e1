/** Reads a definition file. Large files are read in a worker thread to not block other requests. */
import { readDefinitionFile, type DefinitionReading } from './read-definition-file.ts';
import { maxInline, tooExpensive } from '../documents/read-yaml.ts';
import { runInThread, threadFile } from '../documents/run-in-thread.ts';

const thread = threadFile('read-definition-thread', import.meta.url);

/** `pointer` is the location of the text in the body. */
export async function readDefinition(text: string, pointer: string): Promise<DefinitionReading> {
  if (text.length <= maxInline) return readDefinitionFile(text, pointer);
  const read = await runInThread<string>(thread, { text, pointer });
  return read === undefined
    ? { definition: undefined, faults: [tooExpensive(pointer)] }
    : (JSON.parse(read) as DefinitionReading);
}
