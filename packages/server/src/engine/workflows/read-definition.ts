/** Reads a workflow file. Large files are read in a worker thread to not block other requests. */
import { type DefinitionReading, readDefinitionFile } from '@milepost/definitions';
import { maxInline, tooExpensive } from '../threads/read-yaml.ts';
import { runInThread, threadFile } from '../threads/run-in-thread.ts';

const thread = threadFile('read-definition-thread', import.meta.url);

/** `pointer` is the location of the text in the body. */
export async function readDefinition(text: string, pointer: string): Promise<DefinitionReading> {
  if (text.length <= maxInline) return readDefinitionFile(text, pointer);
  const read = await runInThread<string>(thread, { text, pointer });
  return read === undefined
    ? { definition: undefined, warnings: [], systems: [], faults: [tooExpensive(pointer)] }
    : (JSON.parse(read) as DefinitionReading);
}
