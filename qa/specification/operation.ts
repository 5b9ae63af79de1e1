/**
 * One row of the tables in section 4 of the specification, "Endpoints". The first fields are the columns of the specification. The
 * others say how to reach each status and what to send. Where the specification says "not shown", they follow docs/decisions.
 */
import type { Request } from './http.ts';
import type { Shape } from './resources.ts';
import type { Study } from './study.ts';

export type FieldType = 'string' | 'integer' | 'boolean' | 'object';

/** A change of the valid request, and the response to it. */
export interface Call extends Request {
  status: number;
  when: string;
  /** The valid request was sent before. */
  again?: true;
  /** The shape of the body, if the specification gives an error response a shape. */
  response?: Shape;
  /** Values of the response by place: `subjects.0.label`. */
  shows?: Record<string, unknown>;
}

export interface Operation {
  /** "Method and path" */
  operation: string;
  /** "Request": the fields of the body. */
  request?: Record<string, FieldType>;
  /** "Request": the query parameters. */
  query?: Record<string, FieldType>;
  /** "Response" */
  response: Shape;
  /** "Statuses" */
  statuses: readonly number[];
  /** False for the three operations that do not accept X-Fields. */
  fieldsMask?: false;

  /** A request that succeeds with the status, by default 200. Each call returns a request that succeeds again. */
  valid: (study: Study) => Valid | Promise<Valid>;
  /** Fields of the body that must be sent. */
  required?: readonly string[];
  /** Valid values of each body field and query parameter. A function returns a new value for each request. */
  values?: Record<string, readonly unknown[]>;
  /** The place of a sent value in the response, if it is not the field of the same name and type. */
  shownAs?: Record<string, string>;
  /** Further types that body fields accept. */
  alsoTakes?: Record<string, FieldType>;
  /** The other statuses and how they are reached. */
  calls?: readonly Call[] | ((study: Study) => Promise<readonly Call[]>);
  /** Specified statuses that are never returned, with the number of the decision. */
  unreachable?: Record<number, string>;
  /** Places that are empty in each response, for example the subjects of a new cohort. */
  alwaysEmpty?: readonly string[];
}

export interface Valid extends Request {
  status?: number;
}

/** An id that does not exist. */
export const unknownId = 999_999_999;

export const missing = (what: string, request: Request): Call => ({
  status: 404,
  when: `${what} missing`,
  ...request,
});
