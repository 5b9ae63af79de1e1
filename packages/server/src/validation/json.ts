/** JSON from clients, read with suspicion: what could hurt later is refused here. */
import { invalid, Problem, type Fault } from '../errors.ts';
import { countNames, findRepeatedNames } from './repeated-names.ts';

const deepest = 32;
/** Sixteen megabytes of `{},` are parsed in 2 s and more, while everybody waits: they are counted before. */
const mostValues = 500_000;
const mostFaults = 20;

/** The value of a JSON text; undefined for an empty one. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  if (holdsMoreValues(text, mostValues)) throw tooManyValues();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Problem('malformed_request', `The body is not JSON: ${(error as Error).message}.`, { cause: error });
  }
  cleanLogs(value);
  const faults: Fault[] = [];
  const names = inspect(value, [], faults);
  if (names < countNames(text)) faults.push(...repeatedNames(text));
  if (faults.length > 0) throw invalid(...faults);
  return value;
}

const tooManyValues = () =>
  invalid({
    pointer: '',
    detail: `The body holds more than ${mostValues.toLocaleString('en')} values: put long lists into a file, and send its address.`,
  });

const repeatedNames = (text: string): Fault[] =>
  findRepeatedNames(text, { most: mostFaults, deepest }).map((path) => {
    const pointer = pointerOf(path);
    return { pointer, detail: `${pointer} is given more than once: give it once.` };
  });

/** Exact for JSON; of other text it says anything, and that is refused by the parser. */
function holdsMoreValues(text: string, most: number): boolean {
  // Each value but the first comes with a sign before it.
  if (text.length < 2 * most) return false;
  let values = 1;
  let inText = false;
  for (let at = 0; at < text.length && values <= most; at++) {
    const sign = text.charCodeAt(at);
    if (sign === signs.quote) inText = !inText;
    else if (inText) at += sign === signs.backslash ? 1 : 0;
    else if (sign === signs.comma) values++;
    else if ((sign === signs.brace || sign === signs.bracket) && !isClosedAfter(text, at)) values++;
  }
  return values > most;
}

const signs = { quote: 0x22, comma: 0x2c, bracket: 0x5b, backslash: 0x5c, brace: 0x7b };

function isClosedAfter(text: string, opening: number): boolean {
  let at = opening + 1;
  while (' \t\n\r'.includes(text.charAt(at)) && at < text.length) at++;
  return text[at] === ']' || text[at] === '}';
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

/**
 * What PostgreSQL cannot store (NUL, halves of characters), what became another value when it was read (1e999), and what
 * would exhaust a stack (depth). Pointers are written for faults only: one for each value takes longer than parsing. Answers how many names the objects have.
 */
function inspect(value: unknown, path: string[], faults: Fault[]): number {
  if (typeof value === 'string') inspectText(value, path, faults);
  if (value === Infinity || value === -Infinity)
    addFault(path, 'is a number that is too large: send it as text.', faults);
  if (typeof value !== 'object' || value === null) return 0;
  if (path.length >= deepest) {
    throw invalid({ pointer: pointerOf(path), detail: `The body is nested deeper than ${deepest} levels.` });
  }
  // Not entries(): an array of each name and value is as much work again. JSON has own names only.
  const isObject = !Array.isArray(value);
  let names = 0;
  for (const name in value) {
    if (isObject) {
      names++;
      inspectText(name, path, faults, '/(a name)');
    }
    path.push(name);
    names += inspect((value as Record<string, unknown>)[name], path, faults);
    path.pop();
  }
  return names;
}

function inspectText(text: string, path: readonly string[], faults: Fault[], part = ''): void {
  const detail = faultOfText(text);
  if (detail !== undefined) addFault(path, detail, faults, part);
}

function addFault(path: readonly string[], detail: string, faults: Fault[], part = ''): void {
  if (faults.length >= mostFaults) return;
  const pointer = pointerOf(path) + part;
  faults.push({ pointer, detail: `${pointer || 'The body'} ${detail}` });
}

const pointerOf = (path: readonly string[]) => path.map((name) => `/${escapePointer(name)}`).join('');

export function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'holds a NUL character, which cannot be stored: leave it out.';
  return text.isWellFormed() ? undefined : 'holds half of a character (a lone surrogate): send well-formed Unicode.';
}

export const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
