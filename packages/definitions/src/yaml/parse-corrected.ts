/**
 * Parses YAML. A text with a mistake that we can correct is corrected and parsed again, so that all its mistakes are reported
 * together. Other mistakes end it.
 */
import { isMap, parseDocument, visit, type Document, type YAMLError } from 'yaml';
import type { ErrorCode } from '../file/finding-codes.ts';
import { applied, originalOffset, type Edit } from './edits.ts';
import { findRepair } from './find-repair.ts';
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
/** Each correction parses the text again. */
const maxCharacters = 1_000_000;

export function parseCorrected(text: string): CorrectedYaml {
  const placeIn = linePlaces(text);
  const edits: Edit[] = [];
  const mistakes: CorrectedYaml['mistakes'] = [];
  const placeOf = (offset: number) => placeIn(originalOffset(edits, offset));
  const add = ({ code, detail, offset }: Mistake) => mistakes.push({ code, detail, place: placeOf(offset) });
  let current = text;
  for (let document = parse(current); ; document = parse(current)) {
    const errors = [...document.errors, ...document.warnings];
    const offset = errors[0]?.pos[0] ?? (mayHaveUnquotedKey.test(current) ? unquotedKey(document) : undefined);
    if (offset === undefined) return { document, mistakes, placeOf };
    const isTooMuch = mistakes.length >= maxMistakes || mistakes.length * text.length > maxCharacters;
    const repair = isTooMuch ? undefined : findRepair(current, offset);
    if (!repair || edits.some((edit) => isSame(edit, repair.edits[0]))) {
      for (const mistake of mistakesOf(errors)) add(mistake);
      return { document: errors.length > 0 ? undefined : document, mistakes, placeOf };
    }
    add(repair);
    for (const edit of repair.edits) {
      current = applied(current, edit);
      edits.push(edit);
    }
  }
}

/** A correction that did not help. */
const isSame = (edit: Edit, other: Edit | undefined) => edit.at === other?.at && edit.insert === other.insert;

/** Errors about tokens after the first error are its consequences. */
const mistakesOf = (errors: readonly YAMLError[]): Mistake[] =>
  errors
    .filter(({ code }, index) => index === 0 || code !== 'UNEXPECTED_TOKEN')
    .slice(0, maxMistakes)
    .map((error) => ({ code: codeOf(error), detail: messageOf(error), offset: error.pos[0] }));

/** A quick check of the text, because the search takes long. */
const mayHaveUnquotedKey = /[-:,[]\s*\{\{/;

/** `x: {{a.b}}` is valid YAML: a mapping whose key is a mapping. Nobody means that. */
function unquotedKey(document: Document): number | undefined {
  let found: number | undefined;
  visit(document, {
    Pair: (_key, { key }) => {
      if (!isMap(key)) return undefined;
      found = key.range?.[0];
      return visit.BREAK;
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
