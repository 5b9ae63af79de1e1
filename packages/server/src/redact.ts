/**
 * Takes secrets out of a text that goes to a log or a screen: those of the settings by their value, those of requests by the
 * form in which they are sent. It is the last thing done to a line, so that no error can carry one past it.
 */
import { sessionCookie } from '@milepost/api';

const hidden = '(hidden)';

/** A shorter one would be found inside ordinary words, and could not be told from them. */
const shortestKnown = 8;

/** What fields and parameters with secrets are called, at their end: `current_password`, `client_secret`, `id_token`, `secret_key`. */
const names =
  '[\\w-]{0,40}(?:password|passwd|passphrase|secret|secret[_-]?key|private[_-]?key|api[_-]?key|token|authorization|cookie|code_verifier|assertion)';
/** Of the code that a provider hands out. Those of errors are shorter, or in capitals, or have no figure. */
const longCode = '(?![A-Z0-9_]+["\\\\])(?=[^"\\\\]*\\d)[^"\\\\\\s]{24,}';

const forms: readonly (readonly [RegExp, string])[] = [
  // postgresql://name:password@host
  [/:\/\/[^\s/@"'\\]*@/g, `://${hidden}@`],
  // Basic ..., Bearer ..., wherever they stand
  [/\b(Basic|Bearer)\s+[\w+/=.~-]{8,}/gi, `$1 ${hidden}`],
  // Authorization: Digest ..., Set-Cookie: ..., as lines
  [/\b((?:proxy-)?authorization|(?:set-)?cookie):\s*[^\s"\\][^\r\n"\\]*/gi, `$1: ${hidden}`],
  // __Host-milepost=..., and that of a sign-in on its way
  [new RegExp(`(${sessionCookie}[\\w-]{0,20})=[^;\\s"'\\\\]+`, 'g'), `$1=${hidden}`],
  // A token of the interface.
  [/\bmp_[\w-]{20,}/g, hidden],
  // A field of a logged object: a text, or a list of texts.
  [new RegExp(`"(${names})":(?:"(?:[^"\\\\]|\\\\.)*"|\\[(?:"(?:[^"\\\\]|\\\\.)*",?)*\\])`, 'gi'), `"$1":"${hidden}"`],
  // The same inside a text, where every quote has a backslash; Node shows names without quotes, or with others.
  [
    new RegExp(String.raw`(\\"|'|\b)(${names})(\\"|'|):\s?\\"(?:[^"\\]|\\\\(?:\\.|[^"\\]))*\\"`, 'gi'),
    String.raw`$1$2$3:\"${hidden}\"`,
  ],
  // Names and values of headers in one list, as Node has them.
  [/"((?:proxy-)?authorization|(?:set-)?cookie)","(?:[^"\\]|\\.)*"/gi, `"$1","${hidden}"`],
  // An object as Node shows it.
  [new RegExp(`\\b(${names})('?): '(?:[^'\\\\]|\\\\.)*'`, 'gi'), `$1$2: '${hidden}'`],
  // A parameter of an address or a form.
  [new RegExp(`\\b(${names})=[^&;\\s"'\\\\]+`, 'gi'), `$1=${hidden}`],
  [/([?&]code)=[^&\s"'\\]+/g, `$1=${hidden}`],
  [new RegExp(`"(code)":"${longCode}"`, 'g'), `"$1":"${hidden}"`],
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
