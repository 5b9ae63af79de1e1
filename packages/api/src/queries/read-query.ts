/** Reads the text of a query as terms, and reports every error with its position (docs/reference/queries.md). */
import { nearestName } from '../validation/nearest-name.ts';
import { faultOfText } from '../validation/fault.ts';
import { conditionOf } from './conditions.ts';
import { isQueryName, queryNameList, ruleOf } from './names.ts';
import {
  maxQueryLength,
  maxTerms,
  maxValues,
  type Filter,
  type Operator,
  type Query,
  type QueryError,
  type Term,
  type Value,
} from './terms.ts';

const space = /\s+/y;
const quoted = /"((?:[^"\\]|\\.)*)"/sy;
const plainValue = /[^\s,"]+/y;
const plainWord = /[^\s":<>]+/y;
const rest = /\S*/y;
/** The name, the key after the dot, and the operator. */
const head = /([^\s":<>=,.]+)(?:\.("(?:[^"\\]|\\.)*"|[^\s":<>=,]+))?(:|>=|<=|>|<)/sy;

const unescaped = (text: string) => text.replaceAll(/\\(.)/gs, '$1');
const unquoted = (text: string) => (text.startsWith('"') ? unescaped(text.slice(1, -1)) : text);

class SyntaxFault extends Error {
  readonly error: QueryError;
  constructor(error: QueryError) {
    super(error.message);
    this.error = error;
  }
}

/** Matches sticky patterns one after the other. */
class Reader {
  readonly text: string;
  position = 0;
  constructor(text: string) {
    this.text = text;
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.text) ?? undefined;
    if (match) this.position += match[0].length;
    return match;
  }

  get isAtBreak(): boolean {
    return this.position >= this.text.length || /\s/.test(this.text.charAt(this.position));
  }

  get rest(): string {
    return this.text.slice(this.position);
  }
}

export function readQuery(text: string): Query {
  const fault = faultOfWhole(text);
  if (fault) return { terms: [], errors: [fault] };
  const reader = new Reader(text);
  const query: Query = { terms: [], errors: [] };
  for (reader.take(space); reader.rest !== ''; reader.take(space)) readInto(query, reader);
  const excess = query.terms[maxTerms];
  if (excess) query.errors.push({ ...placeOf(excess), message: `A query has at most ${maxTerms} terms.` });
  return query;
}

function faultOfWhole(text: string): QueryError | undefined {
  if (text.length > maxQueryLength) {
    const place = { position: maxQueryLength, length: text.length - maxQueryLength };
    return { ...place, message: `A query has at most ${maxQueryLength} characters.` };
  }
  const unstorable = faultOfText(text);
  return unstorable === undefined
    ? undefined
    : { position: 0, length: text.length, message: `The query ${unstorable}` };
}

const placeOf = ({ position, length }: Term) => ({ position, length });

/** After an error, continues with the next term. */
function readInto({ terms, errors }: Query, reader: Reader): void {
  try {
    const term = readTerm(reader);
    const condition = conditionOf(term);
    if ('error' in condition) errors.push(condition.error);
    else terms.push(term);
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault;
    errors.push(fault.error);
    reader.take(rest);
  }
}

function readTerm(reader: Reader): Term {
  const position = reader.position;
  const negated = reader.take(/-/y) !== undefined;
  if (reader.isAtBreak) throw fault(position, reader, 'A `-` needs a term after it.');
  const found = reader.take(head);
  const term = found ? readFilter(reader, found) : readWord(reader, position);
  if (!reader.isAtBreak) throw fault(reader.position, reader, 'Put a space between two terms.');
  return { ...term, negated, position, length: reader.position - position };
}

/** Marks the text from a position to the reader, and at least one character. */
const fault = (position: number, reader: Reader, message: string, suggestion?: string) =>
  new SyntaxFault({
    position,
    length: Math.max(1, reader.position - position),
    message,
    ...(suggestion !== undefined && { suggestion }),
  });

const place = { negated: false, position: 0, length: 0 };

function readWord(reader: Reader, position: number): Term {
  const inQuotes = reader.take(quoted);
  const text = inQuotes ? unescaped(inQuotes[1] ?? '') : reader.take(plainWord)?.[0];
  if (text === undefined && reader.rest.startsWith('"')) throw unclosed(reader);
  if (text === undefined) throw fault(position, reader, 'A name is missing before this character.', quoteIt);
  if (text.trim() === '') throw fault(position, reader, 'The quotes are empty.');
  if (/[\n\r]/.test(text)) throw fault(position, reader, 'The text has a line break, which no label has.');
  if (!inQuotes && !reader.isAtBreak) throw fault(position, reader, 'This word needs quotes.', quoteIt);
  return { ...place, kind: 'word', text };
}

const quoteIt = 'Put text with : < > or " in quotes to search for it.';

const unclosed = (reader: Reader) =>
  new SyntaxFault({ position: reader.position, length: reader.rest.length, message: 'The closing quote is missing.' });

function readFilter(reader: Reader, found: RegExpExecArray): Filter {
  const [whole, givenName = '', givenKey, operator] = found;
  const name = givenName.toLowerCase();
  const start = reader.position - whole.length;
  const wrong = (message: string, suggestion?: string) => {
    const length = givenName.length + (givenKey === undefined ? 0 : givenKey.length + 1);
    const error = { position: start, length, message };
    return new SyntaxFault(suggestion === undefined ? error : { ...error, suggestion });
  };
  if (!isQueryName(name)) throw wrong(`No filter \`${givenName}\`.`, suggestName(name));
  const needsKey = ruleOf(name).key;
  const key = unquoted(givenKey ?? '');
  if (needsKey && key === '')
    throw wrong(`\`${name}\` needs the name of the ${needsKey}.`, `Write ${name}.NAME:value.`);
  if (!needsKey && givenKey !== undefined)
    throw wrong(`\`${name}\` takes no name after a dot.`, `Write ${name}:value.`);
  if (operator !== ':' && !isComparable(name)) throw wrong(`\`${name}\` cannot be compared.`, `Write ${name}:value.`);
  const values = readValues(reader, operator === ':' ? maxValues : 1);
  return { ...place, kind: 'filter', name, key, operator: operator as Operator, values };
}

function suggestName(name: string): string {
  const nearest = nearestName(name.slice(0, 100), queryNameList);
  return nearest === undefined ? quoteIt : `Did you mean ${nearest}?`;
}

const isComparable = (name: Filter['name']) => ['number', 'date', 'duration', 'variable'].includes(ruleOf(name).takes);

function readValues(reader: Reader, most: number): Value[] {
  const values: Value[] = [];
  do {
    values.push(readValue(reader));
    if (values.length > most)
      throw fault(values[0]?.position ?? 0, reader, `This filter takes at most ${most} values.`);
  } while (reader.take(/,/y));
  return values;
}

function readValue(reader: Reader): Value {
  const { position } = reader;
  const inQuotes = reader.take(quoted);
  const text = inQuotes ? unescaped(inQuotes[1] ?? '') : reader.take(plainValue)?.[0];
  if (text === undefined && reader.rest.startsWith('"')) throw unclosed(reader);
  if (text === undefined || text === '') throw fault(position, reader, 'A value is missing here.');
  return { text, quoted: inQuotes !== undefined, position, length: reader.position - position };
}
