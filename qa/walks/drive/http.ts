/**
 * Calls operations over one connection. Answers are not held against their schemas here, as other tests do that: a walk
 * makes many calls, and looks at little of each answer.
 */
import { basic, operations, type OperationName } from '@milepost/api';
import { Client } from 'undici';

export interface Parts {
  params?: Record<string, string | number>;
  body?: object;
  /** Only what is looked at is asked for. */
  fields?: string;
  /** Of an attempt; without one it is a person who calls. */
  secret?: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- walks look into answers of every shape
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
    call: async (name, { params = {}, body = {}, fields, secret }) => {
      const { method, path } = operations[name];
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params[key])));
      const answer = await client.request({
        method,
        path: pathname + filled,
        headers: {
          authorization: secret === undefined ? person : `Bearer ${secret}`,
          'content-type': 'application/json',
          ...(fields !== undefined && { 'x-fields': fields }),
        },
        body: JSON.stringify(body),
      });
      return { status: answer.statusCode, body: await answer.body.json() };
    },
    close: () => client.close(),
  };
}
