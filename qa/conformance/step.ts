/** What a section's file is made of: calls as data. */

/** `$cohort` stands for what an earlier step saved under the name `cohort`. */
export type Value = Scalar | null | Value[] | { [name: string]: Value };
/** What a path and a query can hold. */
export type Scalar = string | number | boolean;

export interface Call {
  /** As the specification writes it: `GET /cohorts/{id}`. */
  call: string;
  params?: Record<string, Scalar>;
  query?: Record<string, Scalar>;
  body?: Value;
  /** The username of the caller; the administrator when absent. */
  as?: string;
  /** What it must answer. */
  status: number;
  /** What later steps need of the answer: name to place, `{ cohort: 'id' }`. */
  save?: Record<string, string>;
  /** Values that the answer must show, by place. */
  shows?: Record<string, Value>;
  /** Arrays, and fields that may be null, that show nothing in any answer of this operation, and why that is right. */
  hollow?: Record<string, string>;
}

/** What cannot be made over HTTP yet. */
export interface Insert {
  sql: string;
  values: Value[];
  save?: Record<string, string>;
}

export type Step = Call | Insert;
export type Saved = Map<string, Value>;

/** Every account of the run has this password. */
export const password = 'a long password for everybody';

/** An id that nothing has. */
export const nobody = 999_999_999;

export function fill(value: Value, saved: Saved): Value {
  if (typeof value === 'string' && /^\$\w+$/.test(value)) return savedAs(value.slice(1), saved);
  if (Array.isArray(value)) return value.map((inner) => fill(inner, saved));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, saved)]));
}

/** For a path or a query. */
export function fillText(value: Scalar, saved: Saved): string {
  const filled = fill(value, saved);
  if (typeof filled === 'object') throw new Error(`${value} is ${JSON.stringify(filled)}, which is no text`);
  return String(filled);
}

function savedAs(name: string, saved: Saved): Value {
  const value = saved.get(name);
  if (value === undefined) throw new Error(`no earlier step saved ${name}`);
  return value;
}

/** `users.0.id` of an answer. */
export const at = (answer: unknown, place: string): unknown =>
  place.split('.').reduce((value: unknown, key) => Object(value)[key], answer);

export const notFound = (call: string, parts: Omit<Call, 'call' | 'status'> = {}): Call => ({
  ...parts,
  call,
  status: 404,
});
