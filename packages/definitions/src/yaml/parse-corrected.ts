/**
 * Parses YAML. A text with a mistake that we can correct is corrected and parsed again, so that all its mistakes are reported
 * together. Other mistakes end it.
 */
import { isMap, parseDocument, visit, type Document, type YAMLError } from 'yaml';
import type { ErrorCode } from '../file/finding-codes.ts';
import { backFrom, corrected, type BackTo, type Correction } from './edits.ts';
import { countIndicators } from '../file/count-indicators.ts';
import { findRepair, missingQuotes, type Repair } from './find-repair.ts';
import { linePlaces, type Place } from './line-places.ts';

export interface Mistake {
  code: ErrorCode;
  detail: string;
  offset: number;
}

export interface CorrectedYaml {
  /** Undefined if a mistake cannot be corrected. */
  document: Document | undefined;
  mistakes: (Omit<Mistake, 'offset'> & { place: Place })[];
  /** The place in the original text of an offset in the corrected one. */
  placeOf: (offset: number) => Place;
}

const maxMistakes = 20;
/** Servers read longer texts in a thread of its own, where they block no request. */
const longLength = 8 * 1024;
/** Each correction parses the text again, which takes as long as it has indicators. 100 kB of a usual file have 10,000 of them. */
const mayCorrect = (count: number, indicators: number, { length }: string) =>
  count * indicators < (length > longLength ? 100_000 : 6_000);

export function parseCorrected(text: string): CorrectedYaml {
  const placeIn = linePlaces(text);
  const indicators = countIndicators(text);
  const tried: Correction[] = [];
  const back: BackTo[] = [];
  const mistakes: CorrectedYaml['mistakes'] = [];
  const placeOf = (offset: number) => placeIn(back.reduceRight((at, before) => before(at), offset));
  const add = (found: readonly Mistake[]) => {
    const places = found.map(({ code, detail, offset }) => ({ code, detail, place: placeOf(offset) }));
    mistakes.push(...places);
  };
  let current = text;
  for (let document = parse(current); ; document = parse(current)) {
    const errors = [...document.errors, ...document.warnings];
    const offsets = errors.length > 0 ? errors.map(({ pos }) => pos[0]) : unquotedKeys(current, document);
    if (offsets.length === 0) return { document, mistakes, placeOf };
    const room = mayCorrect(tried.length, indicators, text) ? maxMistakes - mistakes.length : 0;
    const repairs = repairsOf(current, offsets.slice(0, maxOffsets)).slice(0, room);
    const edits = repairs.flatMap((repair) => repair.edits);
    if (repairs.length === 0 || tried.some((one) => isSame(one, edits))) {
      add(mistakesOf(errors));
      return { document: errors.length > 0 ? undefined : document, mistakes, placeOf };
    }
    add(repairs);
    current = corrected(current, edits);
    tried.push(edits);
    back.push(backFrom(edits));
  }
}

/** Most errors are on a line of their own. */
const maxOffsets = 100;

/**
 * The first error, and the later ones that need quotes if it does, too. After a wrong indentation, the later ones can be its
 * consequences. At most one for each line, in the order of the text.
 */
function repairsOf(text: string, [first, ...others]: readonly number[]): Repair[] {
  const repair = first === undefined ? undefined : findRepair(text, first);
  if (!repair) return [];
  if (repair.code === 'wrong_indentation') return [repair];
  const found = [repair, ...others.flatMap((offset) => missingQuotes(text, offset, { needsKey: true }) ?? [])];
  const placeIn = linePlaces(text);
  const byLine = new Map(found.toReversed().map((one) => [placeIn(one.offset).line, one]));
  return [...byLine.values()].toSorted((one, other) => one.offset - other.offset);
}

/** A correction that did not help. */
const isSame = ([one]: Correction, [other]: Correction) => one?.at === other?.at && one?.insert === other?.insert;

/** Errors about tokens after the first error are its consequences. */
const mistakesOf = (errors: readonly YAMLError[]): Mistake[] =>
  errors
    .filter(({ code }, index) => index === 0 || code !== 'UNEXPECTED_TOKEN')
    .slice(0, maxMistakes)
    .map((error) => ({ code: codeOf(error), detail: messageOf(error), offset: error.pos[0] }));

/** A quick check of the text, because the search takes long. */
const mayHaveUnquotedKey = /[-:,[]\s*\{\{/;

/** `x: {{a.b}}` is valid YAML: a mapping whose key is a mapping. Nobody means that. */
function unquotedKeys(text: string, document: Document): number[] {
  const found: number[] = [];
  if (!mayHaveUnquotedKey.test(text)) return found;
  visit(document, {
    Pair: (_key, { key }) => {
      if (isMap(key)) found.push(key.range?.[0] ?? 0);
      return found.length < maxOffsets ? undefined : visit.BREAK;
    },
  });
  return found;
}

/** V8 only. Other engines ignore the limit. */
const engine: object & { stackTraceLimit?: number | undefined } = Error;

function parse(text: string) {
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
      // Checked by the caller, because the library compares each key with all previous ones.
      uniqueKeys: false,
      prettyErrors: false,
      // With `silent`, the library would read the first of several documents and not report the others.
      logLevel: 'error',
    });
  } finally {
    engine.stackTraceLimit = stackTraceLimit;
  }
}

const messages: Partial<Record<YAMLError['code'], string>> = {
  MULTIPLE_DOCS: 'a second document starts here. Only one is allowed.',
  TAG_RESOLVE_FAILED: 'tags (!name) are not supported. Write the value itself, in quotes if it begins with !.',
};

const messageOf = ({ code, message }: YAMLError) =>
  message.startsWith('Maximum call stack')
    ? 'this is nested too deeply.'
    : (messages[code] ?? message.replace(/[^.]$/, '$&.'));

const codeOf = ({ code }: YAMLError): ErrorCode => (messages[code] === undefined ? 'yaml_syntax' : 'yaml_feature');
