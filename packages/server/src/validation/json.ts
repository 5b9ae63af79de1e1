/** Parses JSON from clients and rejects values that would cause problems later. */
import { isUtf8 } from 'node:buffer';
import { escapePointer, faultOfText, type Fault } from '@milepost/api';
import { invalid, Problem } from '../errors.ts';
import { countNames, findRepeatedNames } from './repeated-names.ts';

const maxDepth = 32;
/** Parsing 16 MiB of `{},` would block the process for more than 2 s, so values are counted first. */
const maxValues = 500_000;
const maxFaults = 20;

/**
 * Decodes UTF-8. Invalid bytes become lone surrogates, which `parseJson` replaces in logs and rejects elsewhere. A byte order
 * mark is ignored.
 */
export function decodeJson(bytes: Buffer): string {
  const text = isUtf8(bytes) ? bytes.toString() : decodeInvalid(bytes);
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The decoder writes U+FFFD for invalid bytes, so a U+FFFD that the client sent becomes an escape first. */
function decodeInvalid(bytes: Buffer): string {
  const escaped = bytes.toString('latin1').replaceAll('\xef\xbf\xbd', String.raw`\ufffd`);
  return Buffer.from(escaped, 'latin1').toString().replaceAll('\uFFFD', '\uDC00');
}

/** Returns undefined for an empty text. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  if (hasMoreValues(text, maxValues)) throw tooManyValues();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    // The message quotes the body, in which invalid bytes are lone surrogates.
    throw new Problem('malformed_request', `The body is not JSON: ${message.toWellFormed()}.`, { cause: error });
  }
  cleanLogs(value);
  const faults: Fault[] = [];
  const names = inspect(value, [], faults);
  if (faults.length === 0 && /[0-9]{16}/.test(text)) inspect(JSON.parse(text, inexactToInfinity), [], faults);
  if (names < countNames(text)) faults.push(...repeatedNames(text));
  if (faults.length > 0) throw invalid(...faults);
  return value;
}

/** Marks integers that lost digits when they were parsed, such as 12345678901234567890. */
const inexactToInfinity = (_name: string, value: unknown, { source = '' }: { source?: string } = {}) =>
  typeof value === 'number' && /^-?[0-9]{16,}$/.test(source) && BigInt(source) !== BigInt(value) ? Infinity : value;

const tooManyValues = () =>
  invalid({
    pointer: '',
    detail: `The body contains more than ${maxValues.toLocaleString('en')} values. Put long lists into a file and send its URL.`,
  });

const repeatedNames = (text: string): Fault[] =>
  findRepeatedNames(text, { max: maxFaults, maxDepth }).map((path) => {
    const pointer = pointerOf(path);
    return { pointer, detail: `${pointer} is given more than once.` };
  });

/** Exact for valid JSON. For other text the result does not matter, because the parser rejects it. */
function hasMoreValues(text: string, max: number): boolean {
  // Each value except the first follows a comma or an opening bracket.
  if (text.length < 2 * max) return false;
  let values = 1;
  let inString = false;
  for (let at = 0; at < text.length && values <= max; at++) {
    const code = text.charCodeAt(at);
    if (code === codes.quote) inString = !inString;
    else if (inString) at += code === codes.backslash ? 1 : 0;
    else if (code === codes.comma) values++;
    else if ((code === codes.brace || code === codes.bracket) && !isEmptyAt(text, at)) values++;
  }
  return values > max;
}

const codes = { quote: 0x22, comma: 0x2c, bracket: 0x5b, backslash: 0x5c, brace: 0x7b };

function isEmptyAt(text: string, opening: number): boolean {
  let at = opening + 1;
  while (' \t\n\r'.includes(text.charAt(at)) && at < text.length) at++;
  return text[at] === ']' || text[at] === '}';
}

const logs = ['run_log', 'result_log', 'wait_log', 'log'];

/** Logs can contain anything, and a report is not rejected because of that. */
function cleanLogs(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  for (const name of logs) {
    const text = (body as Record<string, unknown>)[name];
    if (typeof text === 'string') Object.assign(body, { [name]: cleanLog(text) });
  }
}

export const cleanLog = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD');

/**
 * Finds values that PostgreSQL cannot store (NUL, lone surrogates), that changed when parsed (1e999), or that would exhaust the
 * stack (depth). Builds pointers only for faults, because one for each value takes longer than parsing. Returns the number of
 * names in all objects.
 */
function inspect(value: unknown, path: string[], faults: Fault[]): number {
  if (typeof value === 'string') inspectText(value, path, faults);
  if (value === Infinity || value === -Infinity) addFault(path, 'is too large for a number. Send it as text.', faults);
  if (typeof value !== 'object' || value === null) return 0;
  if (path.length >= maxDepth) {
    throw invalid({ pointer: pointerOf(path), detail: `The body is nested deeper than ${maxDepth} levels.` });
  }
  // Avoids Object.entries(), which doubles the work. Parsed JSON has only own properties.
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
  if (faults.length >= maxFaults) return;
  const pointer = pointerOf(path) + part;
  faults.push({ pointer, detail: `${pointer || 'The body'} ${detail}` });
}

const pointerOf = (path: readonly string[]) => path.map((name) => `/${escapePointer(name)}`).join('');
