/** Reads bearer credentials: an API token, recognised by its prefix, or else the secret of an execution. */
import { tokenPrefix } from '@milepost/api';

const readBearer = (header: string | undefined): string => /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? '';

export function readToken(header: string | undefined): string | undefined {
  const sent = readBearer(header);
  return sent.startsWith(tokenPrefix) ? sent : undefined;
}

export function readSecret(header: string | undefined): string | undefined {
  const sent = readBearer(header);
  return sent === '' || sent.startsWith(tokenPrefix) ? undefined : sent;
}
