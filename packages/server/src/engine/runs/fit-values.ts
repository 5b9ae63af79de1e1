/**
 * The size of result values, and how the values of built-in functions are cut to fit. A text loses its middle, as a log does. Other
 * values, such as JSON from a server, become text only if they do not fit after the texts were cut.
 */
import { cutText } from '../../cut-text.ts';

/** The bytes of the value as JSON. PostgreSQL writes out all digits of a number, so 1e300 counts as more than 300 bytes. */
export function bytesOf(value: unknown): number {
  const json = JSON.stringify(value);
  return Buffer.byteLength(json) + (/\de[+-]\d/.test(json) ? omittedDigits(value) : 0);
}

function omittedDigits(value: unknown): number {
  let digits = 0;
  JSON.stringify(value, (_name, one: unknown) => {
    if (typeof one === 'number') digits += Number(/e[+-](\d+)$/.exec(String(one))?.[1] ?? 0);
    return one;
  });
  return digits;
}

type Values = Record<string, unknown>;

export interface FittedValues {
  values: Values;
  /** The names of the values that were cut or stored as text. */
  shortened: string[];
}

interface Sized {
  name: string;
  value: unknown;
  bytes: number;
}

export function fitValues(values: Values, maxBytes: number): FittedValues {
  if (bytesOf(values) <= maxBytes) return { values, shortened: [] };
  const entries = Object.entries(values).map(([name, value]): Sized => ({ name, value, bytes: bytesOf(value) }));
  const room = maxBytes - bytesOf(Object.fromEntries(entries.map(({ name }) => [name, ''])));
  const texts = entries.filter(isText);
  const others = entries.filter((entry) => !isText(entry));
  const most = Math.max(room - sum(texts), Math.floor(room * shareOfData));
  const fittedOthers = fitEntries(others, most);
  const fitted = [...fittedOthers, ...fitEntries(texts, room - sum(fittedOthers))];
  const fittedValues = new Map(fitted.map(({ name, value }) => [name, value]));
  return {
    values: Object.fromEntries(entries.map(({ name }) => [name, fittedValues.get(name)])),
    shortened: entries.filter(({ name, value }) => fittedValues.get(name) !== value).map(({ name }) => name),
  };
}

/** The part of the room that values other than texts can take from the texts. */
const shareOfData = 0.75;

const isText = ({ value }: Sized) => typeof value === 'string';
const sum = (entries: readonly Sized[]) => entries.reduce((total, { bytes }) => total + bytes, 0);

function fitEntries(entries: readonly Sized[], room: number): Sized[] {
  const most = fairShare(entries, room);
  return entries.map((entry) => (entry.bytes <= most ? entry : cutEntry(entry, most)));
}

/** The most that each can have if they share the room, and what small ones leave goes to the others. */
function fairShare(entries: readonly Sized[], room: number): number {
  let [left, count] = [room, entries.length];
  for (const { bytes } of entries.toSorted((one, other) => one.bytes - other.bytes)) {
    if (bytes > left / count) return Math.floor(left / count);
    [left, count] = [left - bytes, count - 1];
  }
  return Infinity;
}

function cutEntry({ name, value }: Sized, maxBytes: number): Sized {
  const text = cutText(typeof value === 'string' ? value : JSON.stringify(value), maxBytes, bytesOf);
  return { name, value: text, bytes: bytesOf(text) };
}
