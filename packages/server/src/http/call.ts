/** The contract between HTTP and the handlers: what a handler receives and what it returns. */
import type { Body, Operation, Operations, Params, Permission, Query, Response } from '@milepost/api';
import type { FastifyBaseLogger } from 'fastify';
import type { Database, Db } from '../database/connection.ts';
import type { Links } from '../links.ts';
import type { Passwords } from '../passwords.ts';
import type { AccountRowWithLogins } from '../store/people/users.ts';
import type { Author } from '../store/record/history.ts';
import type { Scope } from '../store/scope.ts';
import type { Span } from '../tracing/span.ts';
import type { Client } from './access/request-origin.ts';
import type { EventStream } from './server-sent-events.ts';
import type { Fields } from './field-mask.ts';
import type { RequireVersion } from './if-match.ts';
import type { Lines } from './lines-download.ts';

/** The account of the caller, read on every request. */
export interface Account {
  id: number;
  username: string;
  passwordHash: string | null;
  active: boolean;
  /** Roles for all cohorts, and their permissions. */
  roles: readonly string[];
  permissions: ReadonlySet<Permission>;
  cohortRoles: readonly CohortRole[];
  /** The cohorts in which the account has the required permission; set during authorization. */
  scope: Scope;
  /** Set if the request used an API token. The permissions are then those that both the token and its owner have. */
  token?: OpenToken;
  /** Set until the row of a deferred account is known (access/deferred-account.ts). Without the row, it is read. */
  confirm?: ((row?: AccountRowWithLogins) => Promise<void>) | undefined;
}

/** A role in some cohorts only. */
export interface CohortRole {
  role: string;
  permissions: ReadonlySet<Permission>;
  cohortIds: readonly number[];
}

/** An execution whose secret the caller sent, and the attempt to which the secret belongs. */
export interface OpenedExecution {
  id: number;
  /** 0 until the secret is confirmed. */
  attempt: number;
  /** Kept so that it can be removed from stored texts. */
  secret: string;
  /** Set until the attempt is known (access/deferred-secret.ts). Null: no attempt has this secret. Without an argument, it is read. */
  confirm?: ((attempt?: number | null) => Promise<void>) | undefined;
}

/** The API token that was sent with the request. */
export interface OpenToken {
  id: number;
  name: string;
  expiresAt: string;
}

/** The browser session whose cookie was sent with the request. */
export interface OpenSession {
  id: number;
  expiresAt: string;
}

export interface Credentials {
  /** The username or e-mail. */
  login: string;
  password: string;
  /** The client's address, as reported by the trusted proxies. */
  address: string;
}

/** Returns the account with this name and password. Counts failures; throws 401 or 429. */
export type CheckCredentials = (credentials: Credentials) => Promise<Account>;

/** What every call can use; created once, in app.ts. Handlers that need more name it (routes/handlers.ts). */
export interface CommonServices {
  database: Database;
  links: Links;
  passwords: Passwords;
}

export interface Call<O extends Operation = Operation> extends CommonServices {
  params: Params<O>;
  query: Query<O>;
  body: Body<O>;
  /** The fields that the caller requested. */
  fields: Fields;
  account: Account;
  /** Set if a program sent an execution's secret. The account is then a placeholder. */
  execution: OpenedExecution | null;
  /** Set if the request used a session cookie. */
  session: OpenSession | null;
  client: Client;
  /** The author that the history records for changes of this call. */
  author: Author;
  log: FastifyBaseLogger;
  /** The span of the request. Undefined if traces are off. */
  span: Span | undefined;
  /** Call it with the version of the resource to change: throws if the caller has seen another version. */
  requireVersion: RequireVersion;
  following: Following;
  /** For operations with `upload`: the bytes of the file. Reading stops without closing the connection, so that a problem can be sent. */
  upload: () => AsyncGenerator<Buffer>;
  /** For work that is not part of the change and must follow it: runs immediately, or after the commit. */
  afterCommit: (work: (db: Db) => void) => void;
}

/** For streams and long polls, which continue after the request was admitted. */
export interface Following {
  /** The last message that the client received before it was disconnected. */
  lastEventId: string | undefined;
  /** Aborts when the client disconnects or the server is about to close. */
  disconnectSignal: () => AbortSignal;
  /** The caller's current account; throws if the caller no longer has access. */
  recheckAccess: () => Promise<Account>;
}

export interface Answer<B> {
  status: number;
  body: B;
  /** The key of the next page, if the response is a page. */
  next?: () => number | string | undefined;
  /** The query parameter for that key in the link to the next page; `after` by default. */
  nextBy?: 'before';
  /** The version of the resource in the response. */
  version?: number;
  headers?: Readonly<Record<string, string>>;
  /** The content as a file, for clients that accept this type. Field masks do not apply to it. */
  file?: { type: string; text: string };
}

const answer = <B>(status: number, body: B, version: number | undefined): Answer<B> => ({
  status,
  body,
  ...(version !== undefined && { version }),
});

export const ok = <B>(body: B, version?: number): Answer<B> => answer(200, body, version);
export const created = <B>(body: B, version?: number): Answer<B> => answer(201, body, version);

type BodyOf<O extends Operation> = O extends { stream: true }
  ? EventStream
  : O extends { lines: true }
    ? Lines
    : Response<O>;

/** `S` are the services that the handler uses beyond the common ones. */
export type Handler<O extends Operation, S = unknown> = (call: Call<O> & S) => Promise<Answer<BodyOf<O>>>;
export type Handlers<T extends Operations, S = unknown> = { [N in keyof T]: Handler<T[N], S> };

/**
 * A handler in two phases: the first does slow work that writes nothing, and returns the second. With an Idempotency-Key, the
 * first runs after the lookup of a stored response, and only the second runs in the transaction, so that slow work holds no
 * connection.
 */
export type TwoPhaseHandlers<T extends Operations, S = unknown> = {
  [N in keyof T]: TwoPhaseHandler<T[N], S>;
};
export interface TwoPhaseHandler<O extends Operation, S = unknown> {
  first: (call: Call<O> & S) => Promise<Handler<O, S>>;
}

/** A handler whose types were checked where it was defined. */
export type Handle = (call: Call) => Promise<Answer<unknown>>;
export type AnyHandler = Handle | { first: (call: Call) => Promise<Handle> };
