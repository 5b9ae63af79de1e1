/** As much of a browser as a sign-in over several addresses takes: cookies by host, and redirects one at a time. */
export type Browser = ReturnType<typeof createBrowser>;

/** With headers that a proxy would add. */
export function createBrowser(added: Readonly<Record<string, string>> = {}) {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (host: string) => {
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };
  return {
    jarOf: (url: string) => jarOf(new URL(url).host),
    /** Follows nothing. */
    get: async (url: string) => {
      const jar = jarOf(new URL(url).host);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { ...added, cookie, accept: 'text/html' } });
      for (const line of response.headers.getSetCookie()) keep(jar, line);
      const location = response.headers.get('location');
      return { status: response.status, location: location === null ? '' : new URL(location, url).href, response };
    },
  };
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const name = pair.slice(0, pair.indexOf('='));
  const isOver = attributes.some((one) => /^max-age=0$/i.test(one) || /^expires=.*1970/i.test(one));
  if (isOver) jar.delete(name);
  else jar.set(name, pair.slice(name.length + 1));
}
