/** A `fetch` that tells how much of the body was sent, which that of the browser does not. */
export const fetchWithProgress =
  (onPercent: (percent: number) => void): typeof fetch =>
  async (input, init) => {
    init?.signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<XMLHttpRequest>();
    const request = new XMLHttpRequest();
    request.open(init?.method ?? 'GET', input instanceof Request ? input.url : input);
    new Headers(init?.headers).forEach((value, name) => request.setRequestHeader(name, value));
    request.responseType = 'blob';
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onPercent(total === 0 ? 0 : Math.floor((100 * loaded) / total)),
    );
    request.addEventListener('load', () => resolve(request));
    request.addEventListener('error', () => reject(new TypeError('The request failed.')));
    request.addEventListener('abort', () => reject(new DOMException('The request was aborted.', 'AbortError')));
    init?.signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(init?.body as XMLHttpRequestBodyInit);
    return responseOf(await promise);
  };

function responseOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ');
    return [name, value.join(': ')];
  });
  return new Response(request.response as Blob, { status: request.status, headers });
}
