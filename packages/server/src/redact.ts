/**
 * Removes secrets from texts for a log or a screen: those in settings by their value, those in requests by their form. It runs
 * last on every line, so that no error message can leak one.
 */
import { sessionCookie } from '@milepost/api';

const hidden = '(hidden)';

/** Shorter secrets would match inside ordinary words. */
const shortestKnown = 8;

/** How names of fields and parameters with secrets end: `current_password`, `client_secret`, `id_token`, `secret_key`. */
const endings =
  'password|passwd|passphrase|secret|secret[_-]?key|private[_-]?key|api[_-]?key|token|authorization|cookie|code_verifier|assertion';
const names = `[\\w-]{0,40}(?:${endings})`;
/** An authorization code. Error codes are shorter, in capitals, or contain no digit. */
const longCode = '(?![A-Z0-9_]+["\\\\])(?=[^"\\\\]*\\d)[^"\\\\\\s]{24,}';

const forms: readonly (readonly [RegExp, string])[] = [
  // postgresql://name:password@host
  [/:\/\/[^\s/@"'\\]*@/g, `://${hidden}@`],
  // Basic ..., Bearer ..., anywhere
  [/\b(Basic|Bearer)\s+[\w+/=.~-]{8,}/gi, `$1 ${hidden}`],
  // Authorization: Digest ..., Set-Cookie: ..., as header lines
  [/\b((?:proxy-)?authorization|(?:set-)?cookie):\s*[^\s"\\][^\r\n"\\]*/gi, `$1: ${hidden}`],
  // __Host-milepost=..., and the cookie of a single sign-on in progress
  [new RegExp(`(${sessionCookie}[\\w-]{0,20})=[^;\\s"'\\\\]+`, 'g'), `$1=${hidden}`],
  // An API token
  [/\bmp_[\w-]{20,}/g, hidden],
  // A field of an object: a string or a list of strings. Python writes a space after the colon.
  [
    new RegExp(
      `"(${names})"(\\s{0,9}:\\s{0,9})(?:"(?:[^"\\\\]|\\\\.)*"|\\[\\s?(?:"(?:[^"\\\\]|\\\\.)*",?\\s?)*\\])`,
      'gi',
    ),
    `"$1"$2"${hidden}"`,
  ],
  // The same inside a string, with escaped quotes. Node prints names without quotes or with single quotes.
  [
    new RegExp(String.raw`(\\"|'|\b)(${names})(\\"|'|)(\s{0,9}:\s{0,9})\\"(?:[^"\\]|\\\\(?:\\.|[^"\\]))*\\"`, 'gi'),
    String.raw`$1$2$3$4\"${hidden}\"`,
  ],
  // Node's list of header names and values
  [/"((?:proxy-)?authorization|(?:set-)?cookie)","(?:[^"\\]|\\.)*"/gi, `"$1","${hidden}"`],
  // An object as Node prints it
  [new RegExp(`\\b(${names})('?): '(?:[^'\\\\]|\\\\.)*'`, 'gi'), `$1$2: '${hidden}'`],
  // A parameter of a URL or a form
  [new RegExp(`\\b(${names})=[^&;\\s"'\\\\]+`, 'gi'), `$1=${hidden}`],
  [/([?&]code)=[^&\s"'\\]+/g, `$1=${hidden}`],
  [new RegExp(`"(code)"(\\s?:\\s?)"${longCode}"`, 'g'), `"$1"$2"${hidden}"`],
  // A sentence of another system: "password: x7". A word without a digit is no secret but part of the sentence.
  [
    /\b((?:password|passwd|passphrase|secret|(?:\w{1,20}_)?token|api[_ -]?key)\s*[:=]\s*)(?=\S{0,60}\d)[^\s"'\\]{6,}/gi,
    `$1${hidden}`,
  ],
  // Keys of GitHub, GitLab, OpenAI and Stripe. A long word without a digit is part of a name.
  [/\b(?:gh[pousr]_|github_pat_|glpat-|sk-|sk_live_)(?=[\w-]{0,60}\d)[\w-]{16,}/g, hidden],
  // A JSON Web Token, and the key of a cloud account
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, hidden],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, hidden],
];

/** Each form contains one of these words. Most lines contain none, and searching them for each form takes 30 times as long. */
const clue = new RegExp(
  `${endings}|basic|bearer|code|mp_|api[_ -]?key|eyJ|AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|sk-|sk_live_|${sessionCookie}|://`,
  'i',
);

/** `secrets` are those in the settings of this process. */
export function createRedaction(secrets: readonly string[] = []): (text: string) => string {
  const hideKnown = createMask(secrets.filter(({ length }) => length >= shortestKnown));
  return (text) => {
    const unknown = hideKnown(text);
    return clue.test(unknown) ? forms.reduce((rest, [form, instead]) => rest.replace(form, instead), unknown) : unknown;
  };
}

/** Hides these secrets wherever they occur, encoded or not. Short ones are hidden as whole words. */
export function createMask(secrets: readonly string[]): (text: string) => string {
  // Longer ones first, because they can contain shorter ones.
  const written = [...new Set(secrets.flatMap(encodingsOf))].filter(Boolean).toSorted((a, b) => b.length - a.length);
  const searched = written.map((text) => (text.length < shortestKnown ? wholeWord(text) : text));
  return (text) => searched.reduce<string>((rest, one) => rest.replaceAll(one, hidden), text);
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const wholeWord = (text: string) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(text)}(?![\\p{L}\\p{N}])`, 'gu');

/** As it is, with the escapes of JSON, percent-encoded in URLs and forms, and in base64. */
function encodingsOf(secret: string): string[] {
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  const percent = [encodeURIComponent(secret.toWellFormed()), inForm, inForm.replaceAll('+', '%20')];
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...percent,
    ...percent.map((text) => text.replaceAll(/%../g, (code) => code.toLowerCase())),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
  ];
}
