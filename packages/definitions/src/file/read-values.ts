/** Reads the object values of a callback, its arguments and variable map, which can also be given as text. */
import { escapePointer, faultFinder, shortened, values as v } from '@milepost/api';
import { sortByName } from './definition.ts';
import type { Entry } from './entries.ts';
import type { Findings } from './findings.ts';
import { loadYaml } from './parse-yaml.ts';

type JsonObject = Record<string, unknown>;

const maxDepth = 32;

/** Parses JSON or YAML, of which JSON is a subset. Returns undefined and adds a fault if the text is not an object. */
export function readTextOfObject(findings: Findings, pointer: string, text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  const { value, faults } = loadYaml(text, pointer);
  const [fault] = faults;
  if (!fault) return value as JsonObject;
  const detail = `${pointer} must be an object, or an object as JSON or YAML text: ${fault.detail}`;
  findings.faults.push({ code: 'invalid_value', pointer, detail });
  return undefined;
}

function objectOf(findings: Findings, { pointer, value }: Entry, name: string): JsonObject {
  const given = value[name];
  if (typeof given === 'string') return readTextOfObject(findings, `${pointer}/${name}`, given) ?? {};
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as JsonObject) : {};
}

export function readArguments(findings: Findings, entry: Entry): JsonObject {
  const given = objectOf(findings, entry, 'callback_arguments');
  const pointer = `${entry.pointer}/callback_arguments`;
  const wrong = faultOfJson(given, 1);
  if (wrong !== undefined) findings.faults.push({ code: 'invalid_value', pointer, detail: `${pointer} ${wrong}` });
  return given;
}

const faultsOfQueue = faultFinder(v.Label, () => 'The name of a queue');

/** Placeholders are not allowed, because the queue must be known when the job is created. */
export function checkQueue(findings: Findings, pointer: string, queue: unknown): void {
  const hasPlaceholder = typeof queue === 'string' && /\{\{|\$[A-Za-z_]/.test(queue);
  const detail = hasPlaceholder
    ? 'The name of a queue cannot contain placeholders.'
    : faultsOfQueue(typeof queue === 'string' ? queue.normalize('NFC') : queue)[0]?.detail;
  if (detail !== undefined) findings.faults.push({ code: 'invalid_value', pointer, detail: `${pointer}: ${detail}` });
}

/** YAML allows values that JSON does not. */
function faultOfJson(value: unknown, depth: number): string | undefined {
  if (depth > maxDepth) return `is nested deeper than ${maxDepth} levels.`;
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return 'contains .inf or .nan, which JSON does not support. Use text instead.';
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const inner of Object.values(value)) {
    const found = faultOfJson(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const faultsOfName = faultFinder(v.Label, () => 'The name of a variable');

export function readVariableMap(findings: Findings, entry: Entry): Record<string, string> {
  const given = Object.entries(objectOf(findings, entry, 'variable_map'));
  const asText = typeof entry.value['variable_map'] === 'string';
  const read = given.map(([name, target]): [string, string] => {
    const pointer = `${entry.pointer}/variable_map/${escapePointer(name)}`;
    const wrong = typeof target === 'string' ? faultOfPointer(name, target) : asText && 'must be text.';
    if (wrong) findings.faults.push({ code: 'invalid_value', pointer, detail: `${pointer} ${wrong}` });
    // The schema has checked the names of an object.
    const [nameFault] = asText ? faultsOfName(name.normalize('NFC')) : [];
    if (nameFault)
      findings.faults.push({ code: 'invalid_value', pointer, detail: `${pointer.slice(0, 200)}: ${nameFault.detail}` });
    return [name.normalize('NFC'), asPointer(typeof target === 'string' ? target : '')];
  });
  return sortByName(Object.fromEntries(read));
}

/** `$.body['a'][0]` as `/body/a/0`. */
const fromPath = (path: string) =>
  [...path.slice(0, 200).matchAll(/\[\s*(?:'([^']*)'|"([^"]*)"|(\d+))\s*\]|\.?([^.[\]$]+)/g)]
    .map(([, single, double, index, name]) => `/${escapePointer(single ?? double ?? index ?? name ?? '')}`)
    .join('');

const asPointer = (target: string) => (target === '' || target.startsWith('/') ? target : `/${escapePointer(target)}`);

function faultOfPointer(name: string, target: string): string | undefined {
  if (target === '') return undefined;
  if (/^\$[.[]/.test(target))
    return `is "${shortened(target)}", which is not a JSON pointer. Write ${shortened(name)}: ${fromPath(target)}.`;
  if (!target.startsWith('/')) {
    return target.includes('/')
      ? `must begin with a slash to be a JSON pointer. Did you mean "/${target}"?`
      : undefined;
  }
  return /~(?![01])/.test(target)
    ? 'is not a valid JSON pointer. Write ~ as ~0, and / inside a name as ~1.'
    : undefined;
}
