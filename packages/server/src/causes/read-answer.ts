/** Reads the sentences in an answer that can be the cause of a failure, the best first. */
import { atEnds } from './at-ends.ts';
import { candidatesInMarkup, isMarkup } from './read-markup.ts';
import { candidatesInOutput, isOutput } from './read-output.ts';

/** Names of fields in the order in which they are read, in lower case and without separators. */
const inValues =
  'detail details message msg errordescription errormessage errormsg error reason faultstring exception errors'
    .concat(' cause stderr traceback')
    .split(' ');

/** In a response, they describe the error. In result values, they can be data. */
const inAnswers = [...inValues, 'description', 'title'];

/** Objects and lists that are read. An answer can have millions. */
const maxRead = 500;
const maxDepth = 8;

type Fields = Record<string, unknown>;

export const candidatesInAnswer = (answer: unknown): string[] =>
  typeof answer === 'string' ? candidatesInText(answer) : candidatesIn(answer, inAnswers);

/** Fields with these names count before all others, at the top before inside. */
export const candidatesInValues = (values: object): string[] => candidatesIn(values, inValues);

function candidatesIn(value: unknown, names: readonly string[]): string[] {
  const found: string[] = [];
  let level: unknown[] = [value];
  for (let depth = 0, read = 0; depth < maxDepth && level.length > 0 && read < maxRead; depth++) {
    read += level.length;
    found.push(...level.flatMap((one) => named(one, names, depth)));
    level = level.flatMap(partsOf).slice(0, maxRead);
  }
  return found;
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const partsOf = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).slice(0, maxRead) : [];

/** The texts of the named fields of an object, or of a list of texts at the top. */
function named(value: unknown, names: readonly string[], depth: number): string[] {
  if (!isObject(value)) return depth === 0 ? textsOf(value, depth) : [];
  const fields = new Map(Object.entries(value).map(([name, one]) => [name.toLowerCase().replaceAll(/[_-]/g, ''), one]));
  return names.filter((name) => fields.has(name)).flatMap((name) => textsOf(fields.get(name), depth));
}

/** A list has the most important error first. An object in a named field has named fields of its own. */
function textsOf(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return candidatesInText(value);
  if (depth >= maxDepth) return [];
  if (Array.isArray(value)) return value.slice(0, 3).flatMap((one) => textsOf(one, depth + 1));
  if (!isObject(value)) return [];
  const inside = withPlace(value) ?? named(value, inAnswers, depth + 1);
  return inside.length > 0 ? inside : fieldErrors(value, depth);
}

/** `{loc: ['body', 'series'], msg: 'field required'}`, as Python frameworks write it. */
function withPlace({ loc, msg }: Fields): string[] | undefined {
  if (typeof msg !== 'string' || !Array.isArray(loc)) return undefined;
  return [`${loc.join('.')}: ${msg}`];
}

/** `{series: ['This field is required.']}`: each field of a request with its errors. */
const fieldErrors = (value: Fields, depth: number): string[] =>
  Object.entries(value).flatMap(([name, one]) =>
    Array.isArray(one) && typeof one[0] === 'string' ? textsOf(one, depth + 1).map((text) => `${name}: ${text}`) : [],
  );

/** JSON, a page, the output of a program, or sentences of which the first says the most. */
function candidatesInText(whole: string): string[] {
  const text = whole.trim();
  const json = jsonIn(text);
  if (json !== undefined) return candidatesIn(json, inAnswers);
  const read = atEnds(text);
  const fields = fieldsIn(read);
  if (fields.length > 0) return fields;
  if (isMarkup(read)) return candidatesInMarkup(read);
  if (isOutput(read)) return candidatesInOutput(read);
  const [first = ''] = read.split(/[\r\n]+\s*/, 1);
  return first === '' ? [] : [first];
}

/** Named fields of JSON that was cut, or of an object as Python and JavaScript print it. */
const fieldsIn = (text: string): string[] =>
  /^\W{0,2}[{[]/.test(text)
    ? [
        ...text.matchAll(
          /["'](detail|message|msg|error|reason)["']\s*:\s*(?:"((?:[^"\\]|\\.)+)"|'((?:[^'\\]|\\.)+)')/gi,
        ),
      ]
        .map(([, , double, single]) => double ?? single ?? '')
        .slice(0, 10)
    : [];

/** The whole text, or what follows a colon: `Request failed: {"detail": ...}`. */
function jsonIn(text: string): unknown {
  const [, json] = /^(?:[^\n{[]{0,300}:\s*)?([{[][\s\S]*[}\]])$/.exec(text) ?? [];
  if (json === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}
