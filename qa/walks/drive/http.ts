/**
 * Calls operations over one connection. Other tests check responses against their schemas. A walk makes many calls and reads
 * only a small part of each response.
 */
import { basic, operations, type OperationName } from '@milepost/api';
import { Client } from 'undici';

export interface Parts {
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: object;
  /** A CSV file instead of a JSON body. */
  file?: string;
  /** The X-Fields header. */
  fields?: string;
  /** The secret of an attempt. Without one, a person calls. */
  secret?: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- responses have any shape
export type Body = any;

export interface Http {
  call: (name: OperationName, parts: Parts) => Promise<{ status: number; body: Body }>;
  close: () => Promise<void>;
}

export function openHttp(baseUrl: string, username: string, password: string): Http {
  const { origin, pathname } = new URL(baseUrl);
  const client = new Client(origin);
  const person = basic(username, password);
  return {
    call: async (name, { params = {}, query, body = {}, file, fields, secret }) => {
      const { method, path } = operations[name];
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params[key])));
      const response = await client.request({
        method,
        path: pathname + filled + (query ? `?${new URLSearchParams(query).toString()}` : ''),
        headers: {
          authorization: secret === undefined ? person : `Bearer ${secret}`,
          'content-type': file === undefined ? 'application/json' : 'text/csv',
          ...(fields !== undefined && { 'x-fields': fields }),
        },
        body: file ?? JSON.stringify(body),
      });
      return { status: response.statusCode, body: await response.body.json() };
    },
    close: () => client.close(),
  };
}
