/**
 * Parses a safe subset of YAML: one document, no custom tags, no merge keys, few aliases, and no text that cannot be stored. A
 * top-level key without a value (`roles:`) is ignored.
 */
import { isAlias, isMap, isNode, isScalar, isSeq, visit, type Document, type YAMLMap } from 'yaml';
import type { TSchema } from 'typebox';
import { escapePointer, faultFinder, faultOfText, normalise, shortened, type Fault } from '@milepost/api';
import { codeOfSchemaFault, type ErrorCode } from './finding-codes.ts';
import { countIndicators } from './count-indicators.ts';
import { parseCorrected, type CorrectedYaml, type Mistake } from '../yaml/parse-corrected.ts';

export type Position = { line: number; column: number };
export type Positions = ReadonlyMap<string, Position>;

export interface YamlDocument {
  value: unknown;
  faults: Fault[];
  /** The position of each part by JSON pointer. */
  positions: Positions;
}

/**
 * A parsed document before validation. There can be a value and faults: those of a text that could be corrected. Positions are
 * computed on demand, because that takes as long as parsing.
 */
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
  if (loaded.value === undefined) return rejected(loaded.faults);
  const positions = loaded.findPositions();
  const given = Object.entries(loaded.value as object).filter(([, inner]) => inner !== null);
  const value = normalise(schema, Object.fromEntries(given));
  const faults = faultFinder(schema)(value).map((found) =>
    atPosition(positions, pointer, { ...found, code: codeOfSchemaFault(found.detail) }),
  );
  return { value, faults: [...loaded.faults, ...faults], positions };
}

/** Corrects mistakes that only some documents can have. Offsets are those of the document. */
export type Correct = (document: Document) => Mistake[];

/** Parses a document without validating it. */
export function loadYaml(text: string, pointer: string, correct: Correct = () => []): LoadedYaml {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > maxBytes) {
    const detail = `The text is larger than ${maxBytes / 1024} KiB (${bytes.toLocaleString('en')} bytes). Split it.`;
    return failed([{ code: 'file_limit', pointer, detail }]);
  }
  const count = countIndicators(text);
  if (count > maxIndicators) return failed([{ code: 'file_limit', pointer, detail: tooManyIndicators(count) }]);
  const { document, mistakes, placeOf } = parseCorrected(text);
  const faults = mistakes.map(({ place, ...mistake }) => faultAt(place, pointer, mistake));
  if (!document) return failed(faults);
  const found = [...correct(document), ...findForbidden(document, placeOf)];
  faults.push(...found.map(({ offset, ...mistake }) => faultAt(placeOf(offset), pointer, mistake)));
  if (found.some(({ code }) => !correctable.has(code))) return failed(faults);
  if (!isMap(document.contents))
    return failed([...faults, faultAt(placeOf(0), pointer, { code: 'invalid_value', detail: notAMapping })]);

  const value = valueOf(document);
  if (value === tooLarge) {
    const detail = 'Nested aliases expand to too many values. Write the values out.';
    return failed([...faults, { code: 'file_limit', pointer, detail }]);
  }
  return { value, faults, findPositions: () => findPositions(document, placeOf) };
}

/** The rest of the document can be read despite these. */
const correctable: ReadonlySet<ErrorCode> = new Set(['repeated_key', 'unknown_field']);

const notAMapping = 'the document must be a mapping, such as "label: value".';

const tooManyIndicators = (count: number) =>
  `The text has ${count.toLocaleString('en')} special characters such as [ ] { } , : - and line breaks, ` +
  `but at most ${maxIndicators.toLocaleString('en')} are allowed. Split it.`;

const failed = (faults: Fault[]): LoadedYaml => ({ value: undefined, faults, findPositions: () => new Map() });

export const rejected = (faults: Fault[]): YamlDocument => ({ value: undefined, faults, positions: new Map() });

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

const faultAt = (
  { line, col }: ReturnType<PlaceOf>,
  pointer: string,
  { code, detail }: { code: ErrorCode; detail: string },
): Fault => ({ code, pointer, detail: `Line ${line}, column ${col}: ${detail}`, line, column: col });

type PlaceOf = CorrectedYaml['placeOf'];

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

/** Returns the first faults in text order. Of a repeated key, only the first is kept. */
function findForbidden(document: Document, placeOf: PlaceOf): Mistake[] {
  const found: Mistake[] = [];
  const anchors = new Set<string>();
  const repeatedPairs = new Map<YAMLMap, Set<unknown>>();
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
      const later = repeatedKeys(node);
      if (later.length > 0) repeatedPairs.set(node, new Set(later.map(({ key }) => key)));
      for (const { key, first } of later.slice(0, maxFaults)) {
        check(key, [repeated(key, placeOf(offsetOf(first)).line)], 'repeated_key');
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
  for (const [map, keys] of repeatedPairs) map.items = map.items.filter(({ key }) => !keys.has(key));
  return found.toSorted((one, other) => one.offset - other.offset).slice(0, maxFaults);
}

const repeated = (key: unknown, line: number) =>
  `the key "${shortened(String(isScalar(key) ? key.value : key))}" is already on line ${line}. Remove one of the two.`;

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

function findPositions(document: Document, placeOf: PlaceOf): Map<string, Position> {
  const positions = new Map<string, Position>();
  const visitNode = (node: unknown, pointer: string): void => {
    if (!isNode(node) || isAlias(node)) return;
    const { line, col } = placeOf(offsetOf(node));
    positions.set(pointer, { line, column: col });
    if (isMap(node)) for (const { key, value } of node.items) visitNode(value, `${pointer}/${nameOf(key)}`);
    else if (isSeq(node)) node.items.forEach((item, index) => visitNode(item, `${pointer}/${index}`));
  };
  visitNode(document.contents, '');
  return positions;
}

const nameOf = (key: unknown) => escapePointer(String(isScalar(key) ? key.value : key));
