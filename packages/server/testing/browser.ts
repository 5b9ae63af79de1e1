/** The parts of a browser that single sign-on needs: cookies by host, and redirects followed one at a time. */
export type Browser = ReturnType<typeof createBrowser>;

/** `proxyHeaders` are added to every request. */
export function createBrowser(proxyHeaders: Readonly<Record<string, string>> = {}) {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (host: string) => {
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };
  return {
    jarOf: (url: string) => jarOf(new URL(url).host),
    /** Does not follow redirects. */
    get: async (url: string) => {
      const jar = jarOf(new URL(url).host);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { ...proxyHeaders, cookie, accept: 'text/html' },
      });
      for (const line of response.headers.getSetCookie()) storeCookie(jar, line);
      const location = response.headers.get('location');
      return { status: response.status, location: location === null ? '' : new URL(location, url).href, response };
    },
  };
}

function storeCookie(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const name = pair.slice(0, pair.indexOf('='));
  const isExpired = attributes.some((one) => /^max-age=0$/i.test(one) || /^expires=.*1970/i.test(one));
  if (isExpired) jar.delete(name);
  else jar.set(name, pair.slice(name.length + 1));
}
