/** Where somebody is led after signing in: a page of ours, and nothing else, however it is spelled. */
import { singleSignOnPath } from '@milepost/api';
import { invalid } from '../errors.ts';

const longest = 1000;

/** A path such as `/experiments?state=3`. Whatever a browser could read as another host is refused, not mended. */
export function readReturnTo(given: unknown): string {
  if (given === undefined) return '/';
  if (typeof given === 'string' && given.length <= longest && isLocal(given)) return given;
  throw invalid({ pointer: '?return_to', detail: '?return_to must be a path of this server, such as /experiments.' });
}

function isLocal(path: string): boolean {
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) return false;
  const url = URL.parse(path, 'https://here.invalid');
  // A sign-in that leads to a sign-in would never end.
  return url?.origin === 'https://here.invalid' && !url.pathname.startsWith('//') && !isSignIn(url.pathname);
}

const isSignIn = (path: string) => path === singleSignOnPath || path.startsWith(`${singleSignOnPath}/`);
