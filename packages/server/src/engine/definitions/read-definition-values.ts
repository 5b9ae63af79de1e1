/** Reads those values of a callback that are objects: its arguments and its map of variables, also where they are text. */
import { values as v } from '@milepost/api';
import { escapePointer } from '../../validation/json.ts';
import { faultFinder } from '../../validation/validate.ts';
import { inNameOrder } from './definition.ts';
import type { Entry } from './definition-entries.ts';
import type { Findings } from './definition-findings.ts';
import { loadYaml } from '../documents/parse-yaml.ts';

type JsonObject = Record<string, unknown>;

const deepest = 32;

/** JSON is YAML, so one reader does for both. Undefined, and a fault, where it is something else. */
export function readTextOfObject(findings: Findings, pointer: string, text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  const { value, faults } = loadYaml(text, pointer);
  const [fault] = faults;
  if (!fault) return value as JsonObject;
  const detail = `${pointer} must be an object, or the text of one in JSON or YAML: ${fault.detail}`;
  findings.faults.push({ pointer, detail });
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
  if (wrong !== undefined) findings.faults.push({ pointer, detail: `${pointer} ${wrong}` });
  return given;
}

const faultsOfQueue = faultFinder(v.Label, () => 'The name of a queue');

/** The queue of a job is known when it is made: a name that is filled in later would be that of another queue. */
export function checkQueue(findings: Findings, pointer: string, queue: unknown): void {
  const isOpen = typeof queue === 'string' && /\{\{|\$[A-Za-z_]/.test(queue);
  const detail = isOpen
    ? 'The name of a queue cannot hold placeholders: write the name itself.'
    : faultsOfQueue(typeof queue === 'string' ? queue.normalize('NFC') : queue)[0]?.detail;
  if (detail !== undefined) findings.faults.push({ pointer, detail: `${pointer}: ${detail}` });
}

/** YAML can say things that JSON cannot. */
function faultOfJson(value: unknown, depth: number): string | undefined {
  if (depth > deepest) return `is nested deeper than ${deepest} levels.`;
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return 'holds a number that is infinite or none (.inf, .nan), which JSON does not know: write text.';
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
    const wrong = typeof target === 'string' ? faultOfPointer(target) : asText && 'must be text.';
    if (wrong) findings.faults.push({ pointer, detail: `${pointer} ${wrong}` });
    // The schema has looked at the names of an object.
    const [misnamed] = asText ? faultsOfName(name.normalize('NFC')) : [];
    if (misnamed) findings.faults.push({ pointer, detail: `${pointer.slice(0, 200)}: ${misnamed.detail}` });
    return [name.normalize('NFC'), asPointer(typeof target === 'string' ? target : '')];
  });
  return inNameOrder(Object.fromEntries(read));
}

const asPointer = (target: string) => (target === '' || target.startsWith('/') ? target : `/${escapePointer(target)}`);

function faultOfPointer(target: string): string | undefined {
  if (target === '') return undefined;
  if (!target.startsWith('/')) {
    return target.includes('/')
      ? `must begin with a slash to be a JSON pointer: did you mean "/${target}"?`
      : undefined;
  }
  return /~(?![01])/.test(target)
    ? 'is no JSON pointer: in one, ~ is written ~0 and a slash inside a name ~1, as in /body/usable.'
    : undefined;
}
