/** The parts of a query (docs/reference/queries.md). Positions count UTF-16 code units, as a text field does. */
import type { QueryName } from './names.ts';

export interface Place {
  position: number;
  length: number;
}

export interface QueryError extends Place {
  message: string;
  /** Such as `Did you mean state?` */
  suggestion?: string;
}

export interface Value extends Place {
  text: string;
  /** A quoted value is taken as it is: it is no range, and a `*` at its end is a character. */
  quoted: boolean;
}

export interface Word extends Place {
  kind: 'word';
  negated: boolean;
  text: string;
}

export type Operator = ':' | '>' | '>=' | '<' | '<=';

export interface Filter extends Place {
  kind: 'filter';
  negated: boolean;
  name: QueryName;
  /** The variable of `var.NAME` or the system of `external.SYSTEM`. Empty for other names. */
  key: string;
  operator: Operator;
  /** One for a comparison. For `:`, any of them must match. */
  values: Value[];
}

export type Term = Word | Filter;

export interface Query {
  terms: Term[];
  /** In the order of their positions. A query with errors matches nothing. */
  errors: QueryError[];
}

export const maxQueryLength = 1000;
export const maxTerms = 20;
export const maxValues = 50;
