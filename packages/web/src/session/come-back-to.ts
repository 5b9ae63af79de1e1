import { paths } from '../paths.ts';

/** The longest that the server takes. */
const longest = 1000;

/** Where somebody wanted to go, as a parameter of an address; the first page for who came to sign in. */
export function comeBackTo({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  const wanted = pathname + search;
  return encodeURIComponent(pathname === paths.signIn || wanted.length > longest ? paths.attention : wanted);
}
