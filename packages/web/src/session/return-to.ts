import { paths } from '../paths.ts';

/** The server's limit. */
const maxLength = 1000;

/** The page to open after the sign-in, encoded for a URL. */
export function returnTo({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  const current = pathname + search;
  return encodeURIComponent(pathname === paths.signIn || current.length > maxLength ? paths.attention : current);
}
