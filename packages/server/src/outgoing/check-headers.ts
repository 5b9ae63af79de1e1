/**
 * Headers that say where a request goes or where it ends are made here and nowhere else: with its own `Host` a request
 * would reach another site of an allowed server, with its own lengths it could hide a second request inside the first.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { OutgoingRefused } from './outgoing-errors.ts';

const ours = /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|proxy-.*)$/i;

export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (ours.test(name)) throw new OutgoingRefused(`The header ${name} cannot be set: leave it out.`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      throw new OutgoingRefused(
        `The header ${JSON.stringify(name)} cannot be sent: a name of letters, digits and hyphens and a value of one line are needed.`,
        { cause: error },
      );
    }
  }
}
