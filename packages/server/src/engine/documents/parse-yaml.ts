/**
 * Reads YAML with what could hurt left out: no tags of one's own, no merge keys, few aliases, one document, no text that
 * cannot be stored. A name at the top with nothing behind it (`roles:`) says nothing.
 */
import { isAlias, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, YAMLError } from 'yaml';
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
const mostAliases = 50;
const mostFaults = 20;

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
  const document = parseDocument(text, {
    version: '1.2',
    // Said outright, as a document could ask for the schema of YAML 1.1 and its tags.
    schema: 'core',
    resolveKnownTags: false,
    merge: false,
    lineCounter: lines,
    prettyErrors: false,
    // Silent, it would read the first of several documents and say nothing of the others.
    logLevel: 'error',
  });
  const problems = [...document.errors, ...document.warnings].slice(0, mostFaults);
  if (problems.length > 0) return unread(problems.map((error) => fault(wordsOf(error), error.pos[0])));
  const forbidden = findForbidden(document).slice(0, mostFaults);
  if (forbidden.length > 0) return unread(forbidden.map(({ detail, offset }) => fault(detail, offset)));
  if (!isMap(document.contents)) return unread([fault('names with values are needed, such as "label: value".', 0)]);

  const value = valueOf(document);
  if (value === multiplied) {
    return unread([{ pointer, detail: 'Aliases of aliases multiply what they name: write the values out.' }]);
  }
  return { value, faults: [], findPositions: () => findPositions(document, lines) };
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
    return document.toJS({ maxAliasCount: mostAliases + 1 });
  } catch (error) {
    if (error instanceof ReferenceError) return multiplied;
    throw error;
  }
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

function findForbidden(document: Document): { detail: string; offset: number }[] {
  const found: { detail: string; offset: number }[] = [];
  const forbid = (detail: string, node: unknown) =>
    found.push({ detail, offset: isNode(node) ? (node.range?.[0] ?? 0) : 0 });
  let aliases = 0;
  visit(document, {
    Alias: (_key, node) => {
      aliases += 1;
      if (aliases > mostAliases) {
        forbid(`more than ${mostAliases} aliases (*name) are not read: write the values out.`, node);
        return visit.BREAK;
      }
      if (node.resolve(document) === undefined)
        forbid(`*${node.source} is not known: &${node.source} must come before it.`, node);
      return undefined;
    },
    Pair: (_key, { key }) => {
      if (isScalar(key) && key.value === '<<') forbid('merge keys (<<) are not read: write the values out.', key);
      else if (!isScalar(key) || typeof key.value !== 'string') forbid('a name must be text: put it in quotes.', key);
    },
    Scalar: (_key, node) => {
      const detail = typeof node.value === 'string' ? faultOfText(node.value) : undefined;
      if (detail !== undefined) forbid(`this ${detail}`, node);
    },
  });
  return found;
}

function findPositions(document: Document, lines: LineCounter): Map<string, Position> {
  const positions = new Map<string, Position>();
  visit(document, {
    Node: (key, node, path) => {
      if (key === 'key' || isAlias(node)) return;
      const { line, col } = lines.linePos(node.range?.[0] ?? 0);
      positions.set(pointerTo(key, path), { line, column: col });
    },
  });
  return positions;
}

function pointerTo(key: unknown, path: readonly unknown[]): string {
  const parts: string[] = [];
  path.forEach((step, index) => {
    if (isPair(step)) parts.push(escapePointer(String(isScalar(step.key) ? step.key.value : step.key)));
    else {
      // A step inside a list is told by its place in it; the step after a map is the pair that names it.
      const next = path[index + 1];
      if (isNode(step) && !isMap(step) && 'items' in step && next !== undefined)
        parts.push(String(step.items.indexOf(next)));
    }
  });
  return `/${[...parts, ...(typeof key === 'number' ? [String(key)] : [])].join('/')}`.replace(/^\/$/, '');
}
