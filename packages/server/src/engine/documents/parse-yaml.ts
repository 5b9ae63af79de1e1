/**
 * Reads YAML with what could hurt left out: no tags of one's own, no merge keys, few aliases, one document, no text that
 * cannot be stored. A name at the top with nothing behind it (`roles:`) says nothing.
 */
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, Pair, YAMLError, YAMLMap } from 'yaml';
import type { TSchema } from 'typebox';
import type { Fault } from '../../errors.ts';
import { normaliseLabels } from '../../validation/normalise-labels.ts';
import { faultFinder } from '../../validation/validate.ts';
import { escapePointer, faultOfText } from '../../validation/json.ts';

export type Position = { line: number; column: number };
export type Positions = ReadonlyMap<string, Position>;

export interface YamlDocument {
  value: unknown;
  faults: Fault[];
  /** Where each part stands, by JSON pointer. */
  positions: Positions;
}

/** What is read before it is held against a schema. Places are looked for when somebody asks: it takes as long as reading. */
export interface LoadedYaml {
  value: unknown;
  faults: Fault[];
  findPositions: () => Positions;
}

const longestText = 256 * 1024;
/** Signs that begin or end something: they are what reading takes long for, and a definition of 2,000 transitions has 20,000. */
export const mostMarks = 50_000;
const mostAliases = 50;
const mostFaults = 20;
/** Each takes two characters at least. */
const mostParts = longestText / 2;

export function parseYaml(text: string, schema: TSchema, pointer: string): YamlDocument {
  const loaded = loadYaml(text, pointer);
  if (loaded.faults.length > 0) return refused(loaded.faults);
  const positions = loaded.findPositions();
  const named = Object.entries(loaded.value as object).filter(([, inner]) => inner !== null);
  const value = normaliseLabels(schema, Object.fromEntries(named));
  const faults = faultFinder(schema)(value).map((found) => placed(positions, pointer, found));
  return { value, faults, positions };
}

/** The document as it stands, held against nothing yet. */
export function loadYaml(text: string, pointer: string): LoadedYaml {
  const lines = new LineCounter();
  const fault = (detail: string, offset: number): Fault => ({ pointer, ...place(lines, offset, detail) });

  if (Buffer.byteLength(text) > longestText) {
    return unread([{ pointer, detail: `The text is larger than ${longestText / 1024} KiB: split it.` }]);
  }
  if (marksIn(text) > mostMarks) return unread([{ pointer, detail: tooManyMarks }]);
  const document = parse(text, lines);
  const problems = [...document.errors, ...document.warnings].slice(0, mostFaults);
  if (problems.length > 0) return unread(problems.map((error) => fault(wordsOf(error), error.pos[0])));
  const forbidden = findForbidden(document);
  if (forbidden.length > 0) return unread(forbidden.map(({ detail, offset }) => fault(detail, offset)));
  if (!isMap(document.contents)) return unread([fault('names with values are needed, such as "label: value".', 0)]);

  const value = valueOf(document);
  if (value === multiplied) {
    return unread([{ pointer, detail: 'Aliases of aliases multiply what they name: write the values out.' }]);
  }
  return { value, faults: [], findPositions: () => findPositions(document, lines) };
}

const tooManyMarks = `The text has more than ${mostMarks.toLocaleString('en')} signs such as [ ] { } , : - and ends of lines: split it.`;

export function marksIn(text: string): number {
  let count = 0;
  for (const one of text) if (marks.has(one)) count += 1;
  return count;
}

const marks = new Set('[]{},:?!&*-\n');

function parse(text: string, lines: LineCounter) {
  const { stackTraceLimit } = Error;
  // A hostile text has a fault in every second character, and where each was thrown is told to nobody.
  Error.stackTraceLimit = 0;
  try {
    return parseDocument(text, {
      version: '1.2',
      // Said outright, as a document could ask for the schema of YAML 1.1 and its tags.
      schema: 'core',
      resolveKnownTags: false,
      merge: false,
      // Looked for below: the library compares each name with all before it.
      uniqueKeys: false,
      lineCounter: lines,
      prettyErrors: false,
      // Silent, it would read the first of several documents and say nothing of the others.
      logLevel: 'error',
    });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const unread = (faults: Fault[]): LoadedYaml => ({ value: undefined, faults, findPositions: () => new Map() });

/** What was not read, and why. */
export const refused = (faults: Fault[]): YamlDocument => ({ value: undefined, faults, positions: new Map() });

const words: Partial<Record<YAMLError['code'], string>> = {
  MULTIPLE_DOCS: 'only one document is read, and another begins here.',
  TAG_RESOLVE_FAILED: 'tags (!name) are not read: write the value itself.',
};

const wordsOf = ({ code, message }: YAMLError) =>
  message.startsWith('Maximum call stack') ? 'this is nested too deeply to be read.' : (words[code] ?? message);

const multiplied = Symbol('aliases of aliases');

function valueOf(document: Document): unknown {
  try {
    // It counts the anchor, too.
    const value: unknown = document.toJS({ maxAliasCount: mostAliases + 1 });
    return isLarger(value, mostParts) ? multiplied : value;
  } catch (error) {
    if (error instanceof ReferenceError) return multiplied;
    throw error;
  }
}

/** Whether there is more in it than a text without aliases could hold. */
function isLarger(value: unknown, most: number): boolean {
  const waiting = [value];
  for (let parts = 0; waiting.length > 0; parts++) {
    if (parts + waiting.length > most) return true;
    const next = waiting.pop();
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) waiting.push(inner);
  }
  return false;
}

function place(lines: LineCounter, offset: number, detail: string) {
  const { line, col } = lines.linePos(offset);
  return { detail: `Line ${line}, column ${col}: ${detail}`, line, column: col };
}

/**
 * The same fault as the caller sees it: `pointer` is where the text stands in the body, and line and column are those of
 * what the fault speaks of, or of the nearest thing around it.
 */
export function placed(positions: Positions, pointer: string, fault: Fault): Fault {
  for (let around = fault.pointer; ; around = around.slice(0, around.lastIndexOf('/'))) {
    const found = positions.get(around);
    if (found) return { pointer, detail: `Line ${found.line}, column ${found.column}: ${fault.detail}`, ...found };
    if (around === '') return { pointer, detail: fault.detail };
  }
}

/** The first faults in the order of the text. */
function findForbidden(document: Document): Forbidden[] {
  const found: Forbidden[] = [];
  const anchors = new Set<string>();
  let aliases = 0;
  const look = (node: unknown, details: readonly (string | undefined)[]) => {
    for (const detail of details) if (detail !== undefined) found.push({ detail, offset: offsetOf(node) });
    return found.length >= mostFaults || aliases > mostAliases ? visit.BREAK : undefined;
  };
  const anchor = ({ anchor: name }: { anchor?: string }) => name !== undefined && anchors.add(name);
  visit(document, {
    Alias: (_key, node, path) => {
      const { source } = node;
      const isInside = path.some((around) => 'anchor' in around && around.anchor === source);
      return look(node, [faultOfAlias(source, ++aliases, isInside ? 'inside' : anchors.has(source))]);
    },
    Pair: (_key, { key }) => look(key, [faultOfKey(key)]),
    Map: (_key, node) => {
      anchor(node);
      for (const { key } of repeatedKeys(node).slice(0, mostFaults)) look(key, ['a name must stand only once here.']);
      return look(node, []);
    },
    Seq: (_key, node) => void anchor(node),
    Scalar: (_key, node) => {
      anchor(node);
      const detail = typeof node.value === 'string' ? faultOfText(node.value) : undefined;
      return look(node, [detail && `this ${detail}`]);
    },
  });
  return found.toSorted((one, other) => one.offset - other.offset).slice(0, mostFaults);
}

interface Forbidden {
  detail: string;
  offset: number;
}

const offsetOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);

function faultOfAlias(source: string, count: number, anchored: boolean | 'inside'): string | undefined {
  if (count > mostAliases) return `more than ${mostAliases} aliases (*name) are not read: write the values out.`;
  if (anchored === 'inside') return `*${source} stands inside &${source} itself: write the values out.`;
  return anchored ? undefined : `*${source} is not known: &${source} must come before it.`;
}

function faultOfKey(key: unknown): string | undefined {
  if (isScalar(key) && key.value === '<<') return 'merge keys (<<) are not read: write the values out.';
  return isScalar(key) && typeof key.value === 'string' ? undefined : 'a name must be text: put it in quotes.';
}

function repeatedKeys({ items }: YAMLMap): Pair[] {
  const seen = new Set<unknown>();
  return items.filter(({ key }) => {
    const name = isScalar(key) ? key.value : key;
    return seen.size === seen.add(name).size;
  });
}

function findPositions(document: Document, lines: LineCounter): Map<string, Position> {
  const positions = new Map<string, Position>();
  const look = (node: unknown, pointer: string): void => {
    if (!isNode(node) || isAlias(node)) return;
    const { line, col } = lines.linePos(offsetOf(node));
    positions.set(pointer, { line, column: col });
    if (isMap(node)) for (const { key, value } of node.items) look(value, `${pointer}/${nameOf(key)}`);
    else if (isSeq(node)) node.items.forEach((item, index) => look(item, `${pointer}/${index}`));
  };
  look(document.contents, '');
  return positions;
}

const nameOf = (key: unknown) => escapePointer(String(isScalar(key) ? key.value : key));
