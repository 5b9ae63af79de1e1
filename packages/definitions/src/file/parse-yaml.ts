/**
 * Parses a safe subset of YAML: one document, no custom tags, no merge keys, few aliases, and no text that cannot be stored. A
 * top-level key without a value (`roles:`) is ignored.
 */
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, YAMLError, YAMLMap } from 'yaml';
import type { TSchema } from 'typebox';
import { escapePointer, faultFinder, faultOfText, normalise, type Fault } from '@milepost/api';
import { codeOfSchemaFault, type ErrorCode } from './finding-codes.ts';

export type Position = { line: number; column: number };
export type Positions = ReadonlyMap<string, Position>;

export interface YamlDocument {
  value: unknown;
  faults: Fault[];
  /** The position of each part by JSON pointer. */
  positions: Positions;
}

/** A parsed document before validation. Positions are computed on demand, because that takes as long as parsing. */
export interface LoadedYaml {
  value: unknown;
  faults: Fault[];
  findPositions: () => Positions;
}

export const maxBytes = 256 * 1024;
/** Parsing time depends on these characters. A definition with 2,000 transitions has 20,000 of them. */
export const maxIndicators = 50_000;
const maxAliases = 50;
const maxFaults = 20;
/** Each value takes at least two characters. */
const maxValues = maxBytes / 2;

export function parseYaml(text: string, schema: TSchema, pointer: string): YamlDocument {
  const loaded = loadYaml(text, pointer);
  if (loaded.faults.length > 0) return rejected(loaded.faults);
  const positions = loaded.findPositions();
  const given = Object.entries(loaded.value as object).filter(([, inner]) => inner !== null);
  const value = normalise(schema, Object.fromEntries(given));
  const faults = faultFinder(schema)(value).map((found) =>
    atPosition(positions, pointer, { ...found, code: codeOfSchemaFault(found.detail) }),
  );
  return { value, faults, positions };
}

/** Parses a document without validating it. */
export function loadYaml(text: string, pointer: string): LoadedYaml {
  const lines = new LineCounter();
  const fault = (code: ErrorCode, detail: string, offset: number): Fault => ({
    code,
    pointer,
    ...located(lines, offset, detail),
  });

  const bytes = new TextEncoder().encode(text).length;
  if (bytes > maxBytes) {
    const detail = `The text is larger than ${maxBytes / 1024} KiB (${bytes.toLocaleString('en')} bytes). Split it.`;
    return failed([{ code: 'file_limit', pointer, detail }]);
  }
  const count = countIndicators(text);
  if (count > maxIndicators) return failed([{ code: 'file_limit', pointer, detail: tooManyIndicators(count) }]);
  const document = parse(text, lines);
  const problems = [...document.errors, ...document.warnings].slice(0, maxFaults);
  if (problems.length > 0) return failed(problems.map((error) => fault(codeOf(error), messageOf(error), error.pos[0])));
  const forbidden = findForbidden(document, lines);
  if (forbidden.length > 0) return failed(forbidden.map(({ code, detail, offset }) => fault(code, detail, offset)));
  if (!isMap(document.contents)) return failed([fault('invalid_value', notAMapping, 0)]);

  const value = valueOf(document);
  if (value === tooLarge) {
    const detail = 'Nested aliases expand to too many values. Write the values out.';
    return failed([{ code: 'file_limit', pointer, detail }]);
  }
  return { value, faults: [], findPositions: () => findPositions(document, lines) };
}

const notAMapping = 'the document must be a mapping, such as "label: value".';

const tooManyIndicators = (count: number) =>
  `The text has ${count.toLocaleString('en')} special characters such as [ ] { } , : - and line breaks, ` +
  `but at most ${maxIndicators.toLocaleString('en')} are allowed. Split it.`;

export function countIndicators(text: string): number {
  let count = 0;
  for (const one of text) if (indicators.has(one)) count += 1;
  return count;
}

const indicators = new Set('[]{},:?!&*-\n');

/** V8 only. Other engines ignore the limit. */
const engine: object & { stackTraceLimit?: number | undefined } = Error;

function parse(text: string, lines: LineCounter) {
  const { stackTraceLimit } = engine;
  // Hostile text can have an error at every second character. Their stack traces are expensive and unused.
  engine.stackTraceLimit = 0;
  try {
    return parseDocument(text, {
      version: '1.2',
      // Set explicitly, because a document can request the YAML 1.1 schema with its tags.
      schema: 'core',
      resolveKnownTags: false,
      merge: false,
      // Checked below, because the library compares each key with all previous ones.
      uniqueKeys: false,
      lineCounter: lines,
      prettyErrors: false,
      // With `silent`, the library would read the first of several documents and not report the others.
      logLevel: 'error',
    });
  } finally {
    engine.stackTraceLimit = stackTraceLimit;
  }
}

const failed = (faults: Fault[]): LoadedYaml => ({ value: undefined, faults, findPositions: () => new Map() });

export const rejected = (faults: Fault[]): YamlDocument => ({ value: undefined, faults, positions: new Map() });

const messages: Partial<Record<YAMLError['code'], string>> = {
  MULTIPLE_DOCS: 'a second document starts here. Only one is allowed.',
  TAG_RESOLVE_FAILED: 'tags (!name) are not supported. Write the value itself.',
};

const messageOf = ({ code, message }: YAMLError) =>
  message.startsWith('Maximum call stack')
    ? 'this is nested too deeply.'
    : (messages[code] ?? message.replace(/[^.]$/, '$&.'));

const codeOf = ({ code }: YAMLError): ErrorCode => (messages[code] === undefined ? 'yaml_syntax' : 'yaml_feature');

const tooLarge = Symbol('too large');

function valueOf(document: Document): unknown {
  try {
    // The library counts the anchor, too.
    const value: unknown = document.toJS({ maxAliasCount: maxAliases + 1 });
    return hasMoreValues(value, maxValues) ? tooLarge : value;
  } catch (error) {
    if (error instanceof ReferenceError) return tooLarge;
    throw error;
  }
}

/** Whether the value is larger than a text without aliases could be. */
function hasMoreValues(value: unknown, limit: number): boolean {
  const waiting = [value];
  for (let count = 0; waiting.length > 0; count++) {
    if (count + waiting.length > limit) return true;
    const next = waiting.pop();
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) waiting.push(inner);
  }
  return false;
}

function located(lines: LineCounter, offset: number, detail: string) {
  const { line, col } = lines.linePos(offset);
  return { detail: `Line ${line}, column ${col}: ${detail}`, line, column: col };
}

/**
 * Turns a fault in the document into a fault in the request body. `pointer` is the location of the text in the body. Line and
 * column are those of the faulty part or of the nearest part around it.
 */
export function atPosition(positions: Positions, pointer: string, fault: Fault): Fault {
  for (let around = fault.pointer; ; around = around.slice(0, around.lastIndexOf('/'))) {
    const found = positions.get(around);
    if (found)
      return { ...fault, pointer, detail: `Line ${found.line}, column ${found.column}: ${fault.detail}`, ...found };
    if (around === '') return { ...fault, pointer };
  }
}

/** Returns the first faults in text order. */
function findForbidden(document: Document, lines: LineCounter): Forbidden[] {
  const found: Forbidden[] = [];
  const anchors = new Set<string>();
  let aliases = 0;
  const check = (node: unknown, details: readonly (string | undefined)[], code: ErrorCode = 'yaml_feature') => {
    for (const detail of details) if (detail !== undefined) found.push({ code, detail, offset: offsetOf(node) });
    return found.length >= maxFaults || aliases > maxAliases ? visit.BREAK : undefined;
  };
  const anchor = ({ anchor: name }: { anchor?: string }) => name !== undefined && anchors.add(name);
  visit(document, {
    Alias: (_key, node, path) => {
      const { source } = node;
      const isInside = path.some((around) => 'anchor' in around && around.anchor === source);
      return check(node, [faultOfAlias(source, ++aliases, isInside ? 'inside' : anchors.has(source))]);
    },
    Pair: (_key, { key }) => check(key, [faultOfKey(key)]),
    Map: (_key, node) => {
      anchor(node);
      for (const { key, first } of repeatedKeys(node).slice(0, maxFaults)) {
        check(key, [`this key is already on line ${lines.linePos(offsetOf(first)).line}.`], 'repeated_key');
      }
      return check(node, []);
    },
    Seq: (_key, node) => void anchor(node),
    Scalar: (_key, node) => {
      anchor(node);
      const detail = typeof node.value === 'string' ? faultOfText(node.value) : undefined;
      return check(node, [detail && `this ${detail}`], 'invalid_value');
    },
  });
  return found.toSorted((one, other) => one.offset - other.offset).slice(0, maxFaults);
}

interface Forbidden {
  code: ErrorCode;
  detail: string;
  offset: number;
}

const offsetOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);

function faultOfAlias(source: string, count: number, anchored: boolean | 'inside'): string | undefined {
  if (count > maxAliases) return `more than ${maxAliases} aliases (*name) are not supported. Write the values out.`;
  if (anchored === 'inside') return `*${source} is inside &${source} itself. Write the values out.`;
  return anchored ? undefined : `*${source} is not defined. &${source} must come before it.`;
}

function faultOfKey(key: unknown): string | undefined {
  if (isScalar(key) && key.value === '<<') return 'merge keys (<<) are not supported. Write the values out.';
  return isScalar(key) && typeof key.value === 'string' ? undefined : 'a key must be text. Put it in quotes.';
}

/** Keys that appear before in the same mapping, with their first appearance. */
function repeatedKeys({ items }: YAMLMap): { key: unknown; first: unknown }[] {
  const known = new Map<unknown, unknown>();
  return items.flatMap(({ key }) => {
    const name = isScalar(key) ? key.value : key;
    const first = known.get(name);
    if (first === undefined) known.set(name, key);
    return first === undefined ? [] : [{ key, first }];
  });
}

function findPositions(document: Document, lines: LineCounter): Map<string, Position> {
  const positions = new Map<string, Position>();
  const visitNode = (node: unknown, pointer: string): void => {
    if (!isNode(node) || isAlias(node)) return;
    const { line, col } = lines.linePos(offsetOf(node));
    positions.set(pointer, { line, column: col });
    if (isMap(node)) for (const { key, value } of node.items) visitNode(value, `${pointer}/${nameOf(key)}`);
    else if (isSeq(node)) node.items.forEach((item, index) => visitNode(item, `${pointer}/${index}`));
  };
  visitNode(document.contents, '');
  return positions;
}

const nameOf = (key: unknown) => escapePointer(String(isScalar(key) ? key.value : key));
