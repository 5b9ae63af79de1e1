/** Reads the path to return to after single sign-on. Only paths of this server are accepted, to prevent open redirects. */
import { singleSignOnPath } from '@milepost/api';
import { invalid } from '../../errors.ts';

const maxLength = 1000;

/** A path such as `/experiments?state=3`. Anything that a browser could read as another host is rejected. */
export function readReturnTo(given: unknown): string {
  if (given === undefined) return '/';
  if (typeof given === 'string' && given.length <= maxLength && isLocal(given)) return given;
  throw invalid({ pointer: '?return_to', detail: '?return_to must be a path of this server, such as /experiments.' });
}

function isLocal(path: string): boolean {
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) return false;
  const url = URL.parse(path, 'https://here.invalid');
  // Returning to the sign-in would create a redirect loop.
  return url?.origin === 'https://here.invalid' && !url.pathname.startsWith('//') && !isSignIn(url.pathname);
}

const isSignIn = (path: string) => path === singleSignOnPath || path.startsWith(`${singleSignOnPath}/`);
