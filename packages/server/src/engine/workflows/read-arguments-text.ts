/**
 * Reads the arguments of a callback from JSON or YAML text. Large texts are parsed in a worker thread to not block other
 * requests.
 */
import { invalid } from '../../errors.ts';
import { maxInline, tooExpensive } from '../threads/read-yaml.ts';
import { runInThread, threadFile } from '../threads/run-in-thread.ts';
import { type Findings, readTextOfObject } from '@milepost/definitions';

const thread = threadFile('read-arguments-text-thread', import.meta.url);

export interface ArgumentsReading {
  value: Record<string, unknown> | undefined;
  faults: Findings['faults'];
}

export function readArgumentsInline(text: string, pointer: string): ArgumentsReading {
  const findings: Findings = { faults: [], warnings: [] };
  const value = readTextOfObject(findings, pointer, text);
  return { value, faults: findings.faults };
}

/** `pointer` is the location of the text in the body. */
export async function readArgumentsText(text: string, pointer: string): Promise<Record<string, unknown>> {
  const read =
    text.length <= maxInline
      ? readArgumentsInline(text, pointer)
      : await runInThread<ArgumentsReading>(thread, { text, pointer });
  if (read?.value) return read.value;
  throw invalid(...(read?.faults ?? [tooExpensive(pointer)]));
}
