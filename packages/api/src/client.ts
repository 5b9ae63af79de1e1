/** A client with one method for each operation. Its types come from the table, without generated code. */
import type { Static, TSchema } from 'typebox';
import { addresses, type Address } from './addresses.ts';
import { readLines, readMessages, readWholeList, type StreamMessage } from './read-stream.ts';
import type { Operation, Response } from './operation.ts';
import type { OperationName, operations } from './operations.ts';
import { ProblemError } from './problem-error.ts';
import { keysOf, recordOf } from './typed-keys.ts';

type Table = typeof operations;

type ParamsPart<O> = O extends { params: infer S extends TSchema } ? { params: Static<S> } : unknown;
type BodyPart<O> = O extends { body: infer S extends TSchema } ? { body: Static<S> } : unknown;
type QueryPart<O> = O extends { query: infer S extends TSchema }
  ? Record<string, never> extends Static<S>
    ? { query?: Static<S> }
    : { query: Static<S> }
  : unknown;
/** With a mask, fields that the type promises can be missing. */
type FieldsPart<O> = O extends { masked: false } ? unknown : { fields?: string };

/** The id of the last message, from which a stream resumes. */
type StreamPart<O> = O extends { stream: true } ? { lastEventId?: string } : unknown;

type UploadPart<O> = O extends { upload: string } ? { file: Blob | string } : unknown;

/** The arguments of a call. */
export type Call<O> = ParamsPart<O> &
  QueryPart<O> &
  BodyPart<O> &
  UploadPart<O> &
  FieldsPart<O> &
  StreamPart<O> & { signal?: AbortSignal };

/** Streams and JSON lines are iterated. Other responses are returned as a whole. */
type AnswerOf<O extends Operation> = O extends { stream: true }
  ? AsyncGenerator<StreamMessage<Response<O>>, void>
  : O extends { lines: true }
    ? AsyncGenerator<Response<O>, void>
    : Response<O>;

type Arguments<O> = Record<string, never> extends Call<O> ? [call?: Call<O>] : [call: Call<O>];

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export type Client = {
  [N in OperationName]: (...args: Arguments<Table[N]>) => Promise<AnswerOf<Table[N]>>;
} & {
  /** Like the named method, but returns the status and headers as well. */
  call: <N extends OperationName>(name: N, ...args: Arguments<Table[N]>) => Promise<Answer<AnswerOf<Table[N]>>>;
  /** A list as CSV. The query can have `columns`. */
  csv: (name: OperationName, call?: Pick<AnyCall, 'params' | 'query' | 'signal'>) => Promise<Blob>;
  /** A whole list as JSON lines. */
  rows: (name: OperationName, call?: Pick<AnyCall, 'params' | 'query' | 'signal'>) => Promise<Blob>;
  /** The rows of a whole list, as the server sends them. Throws if the response was cut. */
  readRows: (
    name: OperationName,
    call?: Pick<AnyCall, 'params' | 'query' | 'signal'>,
  ) => AsyncGenerator<Record<string, unknown>, void>;
};

/** The header of requests that a page sends without user activity. They do not keep the session alive. */
export const unattended = 'milepost-unattended';

export interface ClientOptions {
  /** Including the base path: `https://milepost.example.org/api/v2`. */
  baseUrl: string;
  /** The value of the Authorization header, from `basic` or `bearer`. */
  authorization?: string;
  headers?: Record<string, string>;
  fetch?: typeof fetch;
}

interface AnyCall {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  file?: Blob | string;
  fields?: string;
  lastEventId?: string;
  signal?: AbortSignal;
}

/** The Authorization header for a username or e-mail address and a password. */
export const basic = (username: string, password: string): string =>
  `Basic ${btoa(String.fromCodePoint(...new TextEncoder().encode(`${username}:${password}`)))}`;

/** The Authorization header for an API token. */
export const bearer = (token: string): string => `Bearer ${token}`;

const searchOf = (query: AnyCall['query'] = {}): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search.toString()}`;
};

const urlOf = (baseUrl: string, { path }: Address, { params = {}, query }: AnyCall): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  return `${baseUrl.replace(/\/+$/, '')}${filled}${searchOf(query)}`;
};

const headersOf = (
  { authorization, headers }: ClientOptions,
  { stream, lines, upload }: Address,
  { body, fields, lastEventId }: AnyCall,
): Headers => {
  const all = new Headers({
    accept: stream ? 'text/event-stream' : lines ? 'application/x-ndjson' : 'application/json',
    ...headers,
  });
  if (lastEventId !== undefined) all.set('last-event-id', lastEventId);
  if (authorization !== undefined) all.set('authorization', authorization);
  if (body !== undefined) all.set('content-type', 'application/json');
  if (upload !== undefined) all.set('content-type', upload);
  if (fields !== undefined) all.set('x-fields', fields);
  return all;
};

const requestOf = (options: ClientOptions, address: Address, call: AnyCall): RequestInit => ({
  method: address.method,
  headers: headersOf(options, address, call),
  ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  ...(call.file === undefined ? {} : { body: call.file }),
  ...(call.signal === undefined ? {} : { signal: call.signal }),
});

const send = async (options: ClientOptions, address: Address, call: AnyCall) => {
  const request = options.fetch ?? fetch;
  const response = await request(urlOf(options.baseUrl, address, call), requestOf(options, address, call));
  if (!response.ok) throw await ProblemError.of(response);
  return response;
};

const perform = async (options: ClientOptions, address: Address, call: AnyCall = {}): Promise<Answer<unknown>> => {
  const response = await send(options, address, call);
  return { status: response.status, headers: response.headers, body: await bodyOf(address, response) };
};

const bodyOf = ({ stream, lines }: Address, response: Awaited<ReturnType<typeof fetch>>): unknown => {
  if (stream && response.body) return readMessages(response.body);
  return lines && response.body ? readLines(response.body) : response.json();
};

const jsonLines = 'application/x-ndjson';
/** Without it, a proxy that ends a response by closing the connection can cut a list without an error. */
const wholeList = `${jsonLines};end=line`;

export const createClient = (options: ClientOptions): Client => {
  const call = (name: OperationName, parts?: AnyCall) => perform(options, addresses[name], parts);
  const named = recordOf(keysOf(addresses), (name) => async (parts?: AnyCall) => (await call(name, parts)).body);
  const open = (accept: string, name: OperationName, parts: AnyCall = {}) =>
    send({ ...options, headers: { ...options.headers, accept } }, addresses[name], parts);
  const download =
    (accept: string) =>
    async (name: OperationName, parts?: AnyCall): Promise<Blob> =>
      (await open(accept, name, parts)).blob();
  const readRows = async function* (name: OperationName, parts?: AnyCall) {
    const { body, headers } = await open(wholeList, name, parts);
    // An older server does not know the empty line.
    const hasEnd = headers.get('content-type')?.includes('end=line') === true;
    if (body) yield* hasEnd ? readWholeList<Record<string, unknown>>(body) : readLines<Record<string, unknown>>(body);
  };
  const formats = { csv: download('text/csv'), rows: download(jsonLines), readRows };
  return { ...named, call, ...formats } as unknown as Client;
};
