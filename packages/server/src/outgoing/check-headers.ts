/**
 * Rejects headers that control the destination or the end of a request. A different `Host` would reach another site on an
 * allowed server, and a different length could hide a second request in the first.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { OutgoingRefused } from './outgoing-errors.ts';

const reserved =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|proxy-.*)$/i;

export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (reserved.test(name)) throw new OutgoingRefused(`The header ${name} cannot be set. Leave it out.`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      throw new OutgoingRefused(
        `The header ${JSON.stringify(name)} is invalid. Use letters, digits and hyphens in the name, and one line as the value.`,
        { cause: error },
      );
    }
  }
}
