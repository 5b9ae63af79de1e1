/** The steps of a scenario, as data. */

/** `$cohort` is the value that an earlier step saved as `cohort`. */
export type Value = Scalar | null | Value[] | { [name: string]: Value };
/** The values of path and query parameters. */
export type Scalar = string | number | boolean;

export interface Call {
  /** The key of the operation: `GET /cohorts/{id}`. */
  call: string;
  params?: Record<string, Scalar>;
  query?: Record<string, Scalar>;
  body?: Value;
  /** The username of the caller. Default: the administrator. */
  as?: string;
  /** The expected status. */
  status: number;
  /** Values of the response that later steps use, by name: `{ cohort: 'id' }`. */
  save?: Record<string, string>;
  /** Expected values of the response, by place. */
  shows?: Record<string, Value>;
  /** Arrays and nullable fields that are empty in all responses of this operation, with the reason. */
  alwaysEmpty?: Record<string, string>;
}

/** Creates something that the API cannot create yet. */
export interface Insert {
  sql: string;
  values: Value[];
  save?: Record<string, string>;
}

export type Step = Call | Insert;
export type Saved = Map<string, Value>;

/** The password of all users of the run. */
export const password = 'a long password for all users';

/** An id that does not exist. */
export const unknownId = 999_999_999;

export function fill(value: Value, saved: Saved): Value {
  if (typeof value === 'string' && /^\$\w+$/.test(value)) return savedAs(value.slice(1), saved);
  if (Array.isArray(value)) return value.map((inner) => fill(inner, saved));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, saved)]));
}

/** Like `fill`, for path and query parameters. */
export function fillText(value: Scalar, saved: Saved): string {
  const filled = fill(value, saved);
  if (typeof filled === 'object') throw new Error(`${value} is ${JSON.stringify(filled)}, not a scalar`);
  return String(filled);
}

function savedAs(name: string, saved: Saved): Value {
  const value = saved.get(name);
  if (value === undefined) throw new Error(`no earlier step saved ${name}`);
  return value;
}

/** The value at a place of a response, such as `users.0.id`. */
export const at = (response: unknown, place: string): unknown =>
  place.split('.').reduce((value: unknown, key) => Object(value)[key], response);

export const notFound = (call: string, parts: Omit<Call, 'call' | 'status'> = {}): Call => ({
  ...parts,
  call,
  status: 404,
});
