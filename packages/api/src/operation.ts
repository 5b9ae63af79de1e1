import type { Static, TObject, TSchema } from 'typebox';
import type { Access } from './permission.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One operation of the API. The server, the client, the documentation and the tests read everything from here. */
export interface Operation {
  method: Method;
  /** As in the specification, relative to the base path: `/cohorts/{id}`. */
  path: string;
  /** One line for a table of contents. */
  summary: string;
  /** What a caller needs to know beyond the summary. */
  description: string;
  access: Access;
  /** Affects the whole installation, so a role in a single cohort does not allow it. */
  installationWide?: true;
  params?: TObject;
  query?: TObject;
  body?: TObject;
  /** The response body. For `stream`, the data of each message. For `lines`, each line. */
  response: TSchema;
  /** Returns an endless stream of server-sent events, resumed with the header Last-Event-ID. */
  stream?: true;
  /** Returns JSON lines (`application/x-ndjson`), each matching `response`. */
  lines?: true;
  /** A list with the newest first, paged with `before` instead of `after`. The header Link has the next page. */
  newestFirst?: true;
  /** The statuses specific to this operation. statuses.ts has those that any operation can return. */
  statuses: Readonly<Record<number, string>>;
  /** Error bodies that are `application/json` instead of a problem object, by status. */
  refusals?: Readonly<Record<number, TSchema>>;
  /** `shown`: the response has an ETag. `checked`: the operation also supports If-Match. */
  version?: 'shown' | 'checked';
  /**
   * `ignored`: a repeated request is harmless, or nothing of the request or response may be stored. `uri`: the response is not stored,
   * because it can name a subject, and a repeated request gets its URI.
   */
  idempotencyKey?: 'ignored' | 'uri';
  /** The body can contain a password, so the stored hash of the request must not help to guess it. */
  carries?: 'passwords';
  /** `refused`: API tokens are rejected, whatever their permissions. `itself`: a token needs no permission if `token_id` is its own id. */
  tokens?: 'refused' | 'itself';
  /** False for operations that ignore the header X-Fields. */
  masked?: false;
  /** The body is a file of this type instead of JSON. The handler reads it as a stream. */
  upload?: 'text/csv';
  /** The largest body in MiB, if it can have more than one. */
  bodyMiB?: number;
  /** A test checks that these values match the schemas above. */
  example: { body?: unknown; response: unknown };
}

export type Operations = Readonly<Record<string, Operation>>;

/** Keeps the exact type of each operation, so that handlers and the client get their types from the table. */
export const defineOperations = <const T extends Operations>(operations: T): T => operations;

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;

export type Params<O extends Operation> = StaticOr<O['params'], Record<string, never>>;
export type Query<O extends Operation> = StaticOr<O['query'], Record<string, never>>;
export type Body<O extends Operation> = StaticOr<O['body'], undefined>;
export type Response<O extends Operation> = Static<O['response']>;

/** The schemas of all response bodies except problem objects. */
export const responseSchemas = ({ response, refusals = {} }: Operation): TSchema[] => [
  response,
  ...Object.values(refusals),
];
