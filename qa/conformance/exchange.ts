/** One request and its response, with plain fetch. */
import { password, type Value } from './step.ts';

export interface Request {
  method: string;
  /** As specified: `/cohorts/{id}`. */
  path: string;
  params: Record<string, string>;
  query: Record<string, string>;
  body: Value | undefined;
  as: string;
  fields?: string;
}

export interface HttpResponse {
  status: number;
  contentType: string;
  body: unknown;
}

export type Send = (request: Request) => Promise<HttpResponse>;

export const sendTo =
  (baseUrl: string): Send =>
  async (request) => {
    const { method, body } = request;
    const init = { method, headers: headersOf(request), ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(baseUrl + pathOf(request), init);
    const text = await response.text();
    return { status: response.status, contentType: response.headers.get('content-type') ?? '', body: parse(text) };
  };

const headersOf = ({ as, body, fields }: Request): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${as}:${password}`).toString('base64')}`,
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(fields !== undefined && { 'x-fields': fields }),
});

function pathOf({ path, params, query }: Request): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query);
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}

/** Returns undefined if the text is not JSON. No shape matches that. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
