import type { Static, TObject, TSchema } from 'typebox';
import type { Access } from './permission.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One operation of the interface: everything that the server, the client, the documentation and the tests know of it. */
export interface Operation {
  method: Method;
  /** In the specification's spelling, below the base path: `/cohorts/{id}`. */
  path: string;
  /** One line, as it stands in a table of contents. */
  summary: string;
  /** What a caller needs to know beyond the summary. */
  description: string;
  access: Access;
  /**
   * Where it is not about the data of a cohort, or about those of all together: who has a role for named cohorts only is not
   * let in by it.
   */
  installationWide?: true;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  /** Of an answer; of a stream, the data of each message; of lines, each of them. */
  response: TSchema;
  /** Answers server-sent events without an end. The header Last-Event-ID says where to go on. */
  stream?: true;
  /** Answers lines, each a JSON value as `response` says: `application/x-ndjson`. */
  lines?: true;
  /** A list in pages that begin behind `before`, the newest first; the header Link names the next one. */
  newestFirst?: true;
  /** What each answer of this operation's own means. Answers that any operation may give stand in statuses.ts. */
  statuses: Readonly<Record<number, string>>;
  /** What a refusal carries as `application/json` where it is more than a problem. */
  refusals?: Readonly<Record<number, TSchema>>;
  /**
   * That a version of one resource stands in the answer's header ETag. `held`: and that the header If-Match is compared with it
   * before anything is changed.
   */
  version?: 'shown' | 'held';
  /**
   * `anew` where a repeat cannot be told from a new request, or does no harm and nothing of it may be kept: the header
   * Idempotency-Key is ignored.
   */
  repeats?: 'anew';
  /** That its body may hold a password: what is kept of it, to know a repeat by, must not help to guess that. */
  carries?: 'passwords';
  /** That an API token does not open it, whatever it may do: for this one signs in. */
  tokens?: 'refused';
  /** False for the few operations on which the header X-Fields is ignored. */
  masked?: false;
  /** Values that validate against the schemas above: a test holds them to it. */
  example: { body?: unknown; response: unknown };
}

export type Operations = Readonly<Record<string, Operation>>;

/** Keeps the exact type of each operation, so that handlers and the client are typed by the table itself. */
export const defineOperations = <const T extends Operations>(operations: T): T => operations;

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;

export type Params<O extends Operation> = StaticOr<O['params'], Record<string, never>>;
export type Query<O extends Operation> = StaticOr<O['query'], Record<string, never>>;
export type Body<O extends Operation> = StaticOr<O['body'], undefined>;
export type Response<O extends Operation> = Static<O['response']>;

/** The schemas of everything it answers that is not a problem. */
export const answerSchemas = ({ response, refusals = {} }: Operation): TSchema[] => [
  response,
  ...Object.values(refusals),
];
