/** Reads numbers, dates and durations, and ranges of them, as bounds that a value must meet. */
import type { Operator, Value } from './terms.ts';

export interface Bound<T> {
  operator: Exclude<Operator, ':'>;
  value: T;
}

/** All bounds must hold. */
export type Bounds<T> = Bound<T>[];

/** The first value that belongs to the text, and the first one after it. The same for a point, which `isPoint` marks. */
interface Extent<T> {
  first: T;
  next: T;
  isPoint: boolean;
}

type ReadExtent<T> = (text: string) => Extent<T> | undefined;

const numberPattern = /^-?\d{1,15}(\.\d{1,6})?$/;

export const readNumber: ReadExtent<number> = (text) =>
  numberPattern.test(text) ? { first: Number(text), next: Number(text), isPoint: true } : undefined;

export const readId: ReadExtent<number> = (text) => (/^\d{1,15}$/.test(text) ? readNumber(text) : undefined);

const milliseconds = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

export const readDuration: ReadExtent<number> = (text) => {
  const [, count, unit] = /^(\d{1,4})([mhdw])$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  const value = Number(count) * milliseconds[unit as keyof typeof milliseconds];
  return { first: value, next: value, isPoint: true };
};

/** A day, month or year, as its first day and the first day after it. */
export const readDate: ReadExtent<string> = (text) => {
  const parts = /^([1-9]\d{3})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text);
  if (!parts) return undefined;
  const [year = 0, month, day] = parts.slice(1).flatMap((part) => (part === undefined ? [] : [Number(part)]));
  const first = new Date(Date.UTC(year, (month ?? 1) - 1, day ?? 1));
  if (!first.toISOString().startsWith(text) || year === 9999) return undefined;
  const isPart = [day, month].map((part) => part !== undefined);
  const next = isPart[0]
    ? Date.UTC(year, (month ?? 1) - 1, (day ?? 1) + 1)
    : Date.UTC(isPart[1] ? year : year + 1, isPart[1] ? (month ?? 1) : 0, 1);
  return { first: dayOf(first), next: dayOf(new Date(next)), isPoint: false };
};

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

const equal = <T>({ first, next, isPoint }: Extent<T>): Bounds<T> => [
  { operator: '>=', value: first },
  { operator: isPoint ? '<=' : '<', value: next },
];

const comparison = <T>({ first, next, isPoint }: Extent<T>, operator: Exclude<Operator, ':'>): Bounds<T> => {
  if (isPoint) return [{ operator, value: first }];
  if (operator === '>') return [{ operator: '>=', value: next }];
  if (operator === '<=') return [{ operator: '<', value: next }];
  return [{ operator, value: first }];
};

/** The two sides of an unquoted `a..b`, `a..` or `..b`. */
export function sidesOf({ text, quoted }: Value): [string, string] | undefined {
  const at = quoted ? -1 : text.indexOf('..');
  return at < 0 ? undefined : [text.slice(0, at), text.slice(at + 2)];
}

/** Undefined if the value cannot be read, or if a range ends before it begins. */
export function boundsOf<T extends number | string>(
  value: Value,
  operator: Operator,
  read: ReadExtent<T>,
): Bounds<T> | undefined {
  const sides = sidesOf(value);
  if (sides === undefined || operator !== ':') {
    const extent = read(value.text);
    return extent && (operator === ':' ? equal(extent) : comparison(extent, operator));
  }
  return rangeOf(sides, read);
}

function rangeOf<T extends number | string>([from, to]: [string, string], read: ReadExtent<T>): Bounds<T> | undefined {
  const [first, last] = [read(from), read(to)];
  if ((from !== '' && !first) || (to !== '' && !last) || (!first && !last)) return undefined;
  if (first && last && (last.isPoint ? last.next < first.first : last.next <= first.first)) return undefined;
  return [...(first ? comparison(first, '>=') : []), ...(last ? comparison(last, '<=') : [])];
}
