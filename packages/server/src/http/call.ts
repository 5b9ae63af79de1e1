/** What a handler gets and what it gives: the whole contract between HTTP and the resources. */
import type { Body, Operation, Operations, Params, Permission, Query, Response } from '@milepost/api';
import type { FastifyBaseLogger } from 'fastify';
import type { Database, Db } from '../database/connection.ts';
import type { Links } from '../links.ts';
import type { Passwords } from '../passwords.ts';
import type { Author } from '../store/history.ts';
import type { Scope } from '../store/scope.ts';
import type { Client } from './client.ts';
import type { EventStream } from './event-stream.ts';
import type { Fields } from './field-mask.ts';
import type { HoldVersion } from './if-match.ts';
import type { Lines } from './lines.ts';

/** A user as the server needs to know one on each request. */
export interface Account {
  id: number;
  username: string;
  passwordHash: string | null;
  active: boolean;
  /** Those that hold for all cohorts, and what they carry. */
  roles: readonly string[];
  permissions: ReadonlySet<Permission>;
  cohortRoles: readonly CohortRole[];
  /** The cohorts for which the account holds what the operation needs, once it was let in. */
  scope: Scope;
  /** Set where the request came by a token. Then the permissions are those that it and its owner have. */
  token?: OpenToken;
}

/** A role that holds for some cohorts only. */
export interface CohortRole {
  role: string;
  permissions: ReadonlySet<Permission>;
  cohortIds: readonly number[];
}

/** An execution whose secret the caller sent, and the attempt that the secret belongs to. */
export interface OpenedExecution {
  id: number;
  attempt: number;
  /** To take it out of whatever is stored. */
  secret: string;
}

/** The token of an account, which came with the request. */
export interface OpenToken {
  id: number;
  name: string;
  expiresAt: string;
}

/** The session of a browser, whose cookie came with the request. */
export interface OpenSession {
  id: number;
  expiresAt: string;
}

export interface Credentials {
  /** The username or the e-mail. */
  login: string;
  password: string;
  /** The client's address, as the trusted proxies tell it. */
  address: string;
}

export type CheckCredentials = (credentials: Credentials) => Promise<Account>;

/** What handlers work with; made once, in app.ts. */
export interface Services {
  database: Database;
  links: Links;
  passwords: Passwords;
  /** Of a name and a password the account. Counts failures; 401 or 429. */
  checkCredentials: CheckCredentials;
}

export interface Call<O extends Operation = Operation> extends Services {
  params: Params<O>;
  query: Query<O>;
  body: Body<O>;
  /** Which fields the caller wants. */
  fields: Fields;
  account: Account;
  /** Set where a program came with an execution's secret. Then the account is nobody's. */
  execution: OpenedExecution | null;
  /** Set where somebody came by the cookie of a session. */
  session: OpenSession | null;
  client: Client;
  /** Who is written into the history for what this call changes. */
  author: Author;
  log: FastifyBaseLogger;
  /** Called with the version of what is about to be changed: throws if the caller has seen another one. */
  holdVersion: HoldVersion;
  /** Aborts when nobody waits for the answer any more, or when the server is about to close. */
  gone: AbortSignal;
  following: Following;
  /** For what must not happen before the change is saved, and does not belong to it: at once, or after the commit. */
  afterCommit: (work: (db: Db) => void) => void;
}

/** For streams and those who wait, which go on after the request was let in. */
export interface Following {
  /** The last message that the reader got before the connection broke. */
  lastEventId: string | undefined;
  /** Who the caller is now; throws where they would no longer be let in. */
  admitAgain: () => Promise<Account>;
}

export interface Answer<B> {
  status: number;
  body: B;
  /** The key of the next page, where the answer is a page. */
  next?: () => number | undefined;
  /** What the key is called in the link to the next page; `after` unless told. */
  nextBy?: 'before';
  /** Of the one resource that the answer shows. */
  version?: number;
  headers?: Readonly<Record<string, string>>;
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

export type Handler<O extends Operation> = (call: Call<O>) => Promise<Answer<BodyOf<O>>>;
export type Handlers<T extends Operations> = { [N in keyof T]: Handler<T[N]> };

/**
 * A handler in two parts: what takes long and writes nothing comes first, and gives what does the rest. With an
 * Idempotency-Key the first part comes behind the look for a kept answer, and only the second is inside the transaction, so
 * that no connection is held while the first one waits.
 */
export type HandlersInTwoParts<T extends Operations> = {
  [N in keyof T]: { first: (call: Call<T[N]>) => Promise<Handler<T[N]>> };
};

/** A handler whose operation's types were checked where it was written. */
export type Handle = (call: Call) => Promise<Answer<unknown>>;
export type AnyHandler = Handle | { first: (call: Call) => Promise<Handle> };
