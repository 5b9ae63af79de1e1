/**
 * Takes secrets out of a text that goes to a log or a screen: those of the settings by their value, those of requests by the
 * form in which they are sent. It is the last thing done to a line, so that no error can carry one past it.
 */
import { sessionCookie } from '@milepost/api';

const hidden = '(hidden)';

/** A shorter one would be found inside ordinary words, and could not be told from them. */
const shortestKnown = 8;

const forms: readonly (readonly [RegExp, string])[] = [
  // postgresql://name:password@host
  [/:\/\/[^\s/@"'\\]*@/g, `://${hidden}@`],
  // Authorization: Basic ..., Bearer ...
  [/\b(Basic|Bearer)\s+[\w+/=.~-]{8,}/gi, `$1 ${hidden}`],
  [new RegExp(`(${sessionCookie})=[^;\\s"'\\\\]+`, 'g'), `$1=${hidden}`],
  // A token of the interface.
  [/\bmp_[\w-]{20,}/g, hidden],
  // A field of a logged object.
  [/"(authorization|cookie|set-cookie|password|secret|token)":"(?:[^"\\]|\\.)*"/gi, `"$1":"${hidden}"`],
];

/** `secrets` are those that this process was given. */
export function createRedaction(secrets: readonly string[] = []): (text: string) => string {
  const known = secrets.filter((secret) => secret.length >= shortestKnown);
  // Inside a line of JSON it stands with escapes.
  const written = new Set(known.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  return (text) => {
    const unknown = [...written].reduce((rest, secret) => rest.replaceAll(secret, hidden), text);
    return forms.reduce((rest, [form, instead]) => rest.replace(form, instead), unknown);
  };
}
