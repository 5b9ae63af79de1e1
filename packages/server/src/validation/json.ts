/** JSON from clients, read with suspicion: what could hurt later is refused here. */
import { invalid, Problem, type Fault } from '../errors.ts';

const deepest = 32;

/** The value of a JSON text; undefined for an empty one. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Problem('malformed_request', `The body is not JSON: ${(error as Error).message}.`, { cause: error });
  }
  cleanLogs(value);
  const faults: Fault[] = [];
  inspect(value, '', 0, faults);
  if (faults.length > 0) throw invalid(...faults.slice(0, 20));
  return value;
}

const logs = ['run_log', 'result_log', 'log'];

/** Programs write anything into their logs, and a report is not refused for it. */
function cleanLogs(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  for (const name of logs) {
    const text = (body as Record<string, unknown>)[name];
    if (typeof text === 'string') Object.assign(body, { [name]: cleanLog(text) });
  }
}

export const cleanLog = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** What PostgreSQL cannot store (NUL, halves of characters) and what would exhaust a stack (depth). */
function inspect(value: unknown, pointer: string, depth: number, faults: Fault[]): void {
  if (typeof value === 'string') {
    const detail = faultOfText(value);
    if (detail !== undefined) faults.push({ pointer, detail: `${pointer || 'The body'} ${detail}` });
  } else if (typeof value === 'object' && value !== null) {
    if (depth >= deepest) throw invalid({ pointer, detail: `The body is nested deeper than ${deepest} levels.` });
    for (const [name, inner] of Object.entries(value)) {
      inspect(name, `${pointer}/(a name)`, depth + 1, faults);
      inspect(inner, `${pointer}/${escapePointer(name)}`, depth + 1, faults);
    }
  }
}

export function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'holds a NUL character, which cannot be stored: leave it out.';
  return text.isWellFormed() ? undefined : 'holds half of a character (a lone surrogate): send well-formed Unicode.';
}

export const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
