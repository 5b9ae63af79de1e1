/**
 * The part of result values that some paths name. Conditions and variable maps find the same in it as in the whole values: a path
 * that leads nowhere ends at a value of the same kind.
 */
import type { ValuePath } from '@milepost/definitions';

/** What a path leads to. */
export interface FoundValue {
  path: ValuePath;
  /** The kind of the value after each step, as in jsonb_typeof. Null where there is none. */
  kinds: readonly (string | null)[];
  value: unknown;
}

type Holder = Record<string | number, unknown>;

export const pickValues = (values: unknown, paths: readonly ValuePath[]): unknown =>
  joinValues(paths.map((path) => findValue(values, path)));

/** Each path once, without those inside another one. */
export function outermost(paths: readonly ValuePath[]): ValuePath[] {
  const texts = new Map(paths.map((path) => [JSON.stringify(path), path]));
  const isInside = (path: ValuePath) => path.some((_, length) => texts.has(JSON.stringify(path.slice(0, length))));
  return [...texts.values()].filter((path) => !isInside(path));
}

export function joinValues(found: readonly FoundValue[]): unknown {
  let values: unknown = newHolder('object');
  for (const one of found) values = place(values, one, 0);
  return values;
}

function place(at: unknown, found: FoundValue, depth: number): unknown {
  const { path, kinds, value } = found;
  const step = path[depth];
  if (step === undefined) return value;
  const kind = depth === 0 ? 'object' : (kinds[depth - 1] ?? 'null');
  const known = at === undefined ? (newHolder(kind) ?? samples[kind]) : at;
  if (canStep(kind, step) && (kinds[depth] ?? null) !== null) {
    (known as Holder)[step] = place(ownOf(known as Holder, step), found, depth + 1);
  }
  return known;
}

/** Without a prototype, so that __proto__ is a name like any other. */
const newHolder = (kind: string): Holder | undefined => {
  if (kind === 'array') return [] as unknown as Holder;
  return kind === 'object' ? (Object.create(null) as Holder) : undefined;
};

/** Stand for any value of the kind, because only the kind decides what happens when a name is read from it. */
const samples: Readonly<Record<string, unknown>> = { string: '', number: 0, boolean: true, null: null };

/** PostgreSQL also accepts other forms of an index, such as -1 and 01. Conditions and variable maps do not. */
const canStep = (kind: string, step: string | number): boolean =>
  kind === 'array' ? /^(?:0|[1-9]\d*)$/.test(String(step)) : kind === 'object' && typeof step === 'string';

const ownOf = (holder: Holder, step: string | number): unknown =>
  Object.hasOwn(holder, step) ? holder[step] : undefined;

function findValue(values: unknown, path: ValuePath): FoundValue {
  const kinds: (string | null)[] = [];
  let value: unknown = values;
  for (const step of path) {
    value = canStep(kindOf(value) ?? '', step) ? ownOf(value as Holder, step) : undefined;
    kinds.push(kindOf(value));
  }
  return { path, kinds, value };
}

function kindOf(value: unknown): string | null {
  if (value === undefined) return null;
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
