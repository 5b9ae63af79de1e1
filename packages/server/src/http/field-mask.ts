/**
 * The header X-Fields, which selects the fields of a response (specification, section 2; docs/decisions/0005).
 * `{label,cohort{label}}`: names, optional outer braces, nested braces, `*` for all other fields. mask-reader.ts finds unknown
 * names.
 */
import { invalid } from '../errors.ts';
import { Rows } from '../database/rows.ts';

export interface Fields {
  named: ReadonlyMap<string, Fields>;
  /** Whether fields that are not named are included. */
  rest: boolean;
  /** Fields that are left out if they are null. */
  absentIfNull?: ReadonlySet<string>;
}

export const everything: Fields = { named: new Map(), rest: true };

/** The mask inside a field, or undefined if the field is not included. */
export const within = (fields: Fields, name: string): Fields | undefined =>
  fields.named.get(name) ?? (fields.rest ? everything : undefined);

/** Whether the field at the end of the path is included: `wants(fields, 'scans', 'experiment', 'label')`. */
export const wants = (fields: Fields, ...path: string[]): boolean =>
  path.reduce<Fields | undefined>((inner, name) => inner && within(inner, name), fields) !== undefined;

const longestMask = 4096;
const deepestMask = 8;

export function readFields(header: string | undefined): Fields {
  if (header === undefined || header.trim() === '') return everything;
  if (header.length > longestMask)
    throw malformed(`it has ${header.length} characters, but at most ${longestMask} are allowed`);
  const tokens = header.match(/[{},]|[^{},\s]+/g) ?? [];
  const wrapped = tokens[0] === '{' ? tokens : ['{', ...tokens, '}'];
  const [fields, end] = readBraces(wrapped, 0, 0);
  if (end !== wrapped.length) throw malformed('there is text after the last brace');
  return fields;
}

/** Reads from an opening brace to its closing brace. Returns the fields and the position after it. */
function readBraces(tokens: readonly string[], start: number, depth: number): [Fields, number] {
  if (depth > deepestMask) throw malformed(`it is nested deeper than ${deepestMask} levels`);
  const named = new Map<string, Fields>();
  let rest = false;
  let at = start + 1;
  while (tokens[at] !== '}') {
    const name = tokens[at];
    if (name === undefined) throw malformed('a closing brace is missing');
    if (/^[{,]$/.test(name)) throw malformed(`a name is missing before "${name}"`);
    let inner = everything;
    at += 1;
    if (tokens[at] === '{') [inner, at] = readBraces(tokens, at, depth + 1);
    if (name === '*') rest = true;
    else named.set(name, inner);
    if (tokens[at] === ',') at += 1;
    else if (tokens[at] !== '}') throw malformed('a comma or a closing brace is missing');
  }
  return [{ named, rest }, at + 1];
}

const malformed = (why: string) =>
  invalid({
    pointer: 'X-Fields',
    detail: `The header X-Fields is invalid: ${why}. Example: {label,cohort{label}}.`,
  });

export type Lazy<T> = { [K in keyof T]: T[K] | Rows<unknown> | (() => Promise<T[K] | Rows<unknown>>) };

/**
 * Builds the requested fields of a resource. A field given as a function is only read if the mask includes it, so the mask
 * decides what is queried. `prune` removes nested fields when the response is sent.
 */
export async function present<T extends object>(fields: Fields, resource: Lazy<T>): Promise<T> {
  const presented: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(resource)) {
    if (within(fields, name)) presented[name] = typeof value === 'function' ? await value() : value;
  }
  return presented as T;
}

/** Removes the fields that the mask does not include, at any depth, and those that are absent instead of null. */
export function prune(fields: Fields, value: unknown): unknown {
  if (fields === everything) return value;
  if (Array.isArray(value)) return value.map((element) => prune(fields, element));
  if (value instanceof Rows) return value.map((row) => prune(fields, row));
  if (typeof value !== 'object' || value === null) return value;
  const pruned: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const wanted = inner === null && fields.absentIfNull?.has(name) ? undefined : within(fields, name);
    if (wanted) pruned.push([name, prune(wanted, inner)]);
  }
  return Object.fromEntries(pruned);
}
