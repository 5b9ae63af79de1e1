/** Reads YAML with what could hurt left out: no tags of one's own, no merge keys, few aliases, one document. */
import { isAlias, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { TSchema } from 'typebox';
import type { Fault } from '../errors.ts';
import { faultFinder } from '../validation/validate.ts';
import { escapePointer } from '../validation/json.ts';

export type Position = { line: number; column: number };

export interface YamlDocument {
  value: unknown;
  faults: Fault[];
  /** Where each part stands, by JSON pointer. */
  positions: ReadonlyMap<string, Position>;
}

const longestText = 256 * 1024;
const mostAliases = 50;

export function parseYaml(text: string, schema: TSchema, pointer: string): YamlDocument {
  const lines = new LineCounter();
  const fault = (detail: string, offset: number): Fault => ({ pointer, ...place(lines, offset, detail) });

  if (Buffer.byteLength(text) > longestText) {
    return refused({ pointer, detail: `The text is larger than ${longestText / 1024} KiB: split it.` });
  }
  const document = parseDocument(text, {
    version: '1.2',
    merge: false,
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const syntax = [...document.errors, ...document.warnings].map((error) => fault(error.message, error.pos[0]));
  const forbidden = findForbidden(document).map(({ detail, offset }) => fault(detail, offset));
  if (syntax.length + forbidden.length > 0) return refused(...syntax, ...forbidden);

  const value: unknown = document.toJS({ maxAliasCount: mostAliases });
  const positions = findPositions(document, lines);
  const faults = faultFinder(schema)(value).map((found) => ({ pointer, ...at(positions, found) }));
  return { value, faults, positions };
}

const refused = (...faults: Fault[]): YamlDocument => ({ value: undefined, faults, positions: new Map() });

function place(lines: LineCounter, offset: number, detail: string) {
  const { line, col } = lines.linePos(offset);
  return { detail: `Line ${line}, column ${col}: ${detail}`, line, column: col };
}

/** The position of what a fault speaks of, or of the nearest thing around it. */
function at(positions: ReadonlyMap<string, Position>, { pointer, detail }: Fault) {
  for (let around = pointer; ; around = around.slice(0, around.lastIndexOf('/'))) {
    const found = positions.get(around);
    if (found) return { detail: `Line ${found.line}, column ${found.column}: ${detail}`, ...found };
    if (around === '') return { detail };
  }
}

function findForbidden(document: Document): { detail: string; offset: number }[] {
  const found: { detail: string; offset: number }[] = [];
  let aliases = 0;
  visit(document, {
    Alias: (_key, node) => {
      aliases += 1;
      if (aliases === mostAliases + 1) {
        found.push({
          detail: `more than ${mostAliases} aliases (*name) are not read: write the values out.`,
          offset: node.range?.[0] ?? 0,
        });
      }
    },
    Pair: (_key, { key }) => {
      if (isScalar(key) && key.value === '<<') {
        found.push({ detail: 'merge keys (<<) are not read: write the values out.', offset: key.range?.[0] ?? 0 });
      } else if (!isScalar(key) || typeof key.value !== 'string') {
        const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0;
        found.push({ detail: 'a name must be text: put it in quotes.', offset });
      }
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
