/** Sends one request with plain fetch, as a client written to the specification would. */

export interface Request {
  path?: Record<string, string | number>;
  query?: Record<string, string | number>;
  body?: Record<string, unknown>;
  /** The username of the caller. Default: the administrator. */
  as?: string;
}

export interface Reply {
  status: number;
  contentType: string;
  /** Undefined if the body is not JSON. */
  body: unknown;
}

export interface Options {
  /** The header `X-Fields`. */
  mask?: string;
  contentType?: string;
  /** Sends no credentials. */
  anonymous?: boolean;
}

/** `operation` is the method and path as specified: `GET /cohorts/{id}`. */
export type Send = (operation: string, request?: Request, options?: Options) => Promise<Reply>;

/** The password of all users. */
export const password = 'a long password for all users';

export const sendTo =
  (baseUrl: string): Send =>
  async (operation, request = {}, options = {}) => {
    const [method = '', path = ''] = operation.split(' ');
    const response = await fetch(baseUrl + fill(path, request), {
      method,
      headers: headersOf(request, options),
      ...(request.body && { body: JSON.stringify(request.body) }),
    });
    const { status, headers } = response;
    return { status, contentType: headers.get('content-type') ?? '', body: parse(await response.text()) };
  };

function fill(path: string, { path: values = {}, query = {} }: Request): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return parameters.length === 0 ? filled : `${filled}?${parameters.join('&')}`;
}

const headersOf = (
  { as = 'admin', body }: Request,
  { mask, anonymous, contentType = body && 'application/json' }: Options,
): Record<string, string> => ({
  ...(!anonymous && { authorization: `Basic ${Buffer.from(`${as}:${password}`).toString('base64')}` }),
  ...(contentType && { 'content-type': contentType }),
  ...(mask && { 'x-fields': mask }),
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
