/**
 * Finds the secrets that a callback sends: in the headers, the query and the body of a request, or in the arguments of a program. The
 * other side may quote them when it rejects them.
 */
import type { OutgoingRequest } from '../outgoing/create-outgoing.ts';
import { readJson } from './storable.ts';

export type Sent = Pick<OutgoingRequest, 'url' | 'headers' | 'body'>;

/** How names of secrets end. */
const endings =
  'password|passwd|passphrase|pwd|secret|token|jwt|authorization|cookie|credentials?|assertion|code_verifier|(?:api|access|account|private|secret|session)[_-]?key';
const isSecret = new RegExp(`(?:${endings})s?$`, 'i');
/** Other values can have names with these endings, too. Such a value is a secret if it is long and contains a digit. */
const otherEndings = 'key|auth|sig|signature|pass';
const canBeSecret = new RegExp(`(?:${otherEndings})$`, 'i');
const minAmbiguous = 12;

/** A longer value is a document. */
const maxLength = 4096;

export function secretsInRequest({ url, headers = {}, body }: Sent): string[] {
  const { username = '', password = '', search = '' } = URL.parse(url) ?? {};
  return [
    ...Object.entries(headers).flatMap(([name, value]) => secretsInHeader(name, value)),
    ...(password === '' ? [username] : [password, decoded(password)]),
    ...secretsInForm(search),
    ...secretsInText(search),
    ...(typeof body === 'string' ? secretsInBody(body) : []),
  ].filter(({ length }) => length <= maxLength);
}

/** `--token abc` and `--token=abc`. */
export const secretsInCommand = (args: readonly string[]): string[] =>
  args.flatMap((arg, place) => [
    ...secretsInText(arg),
    ...(arg.startsWith('-') && args[place + 1]?.startsWith('-') === false ? secretsInField(arg, args[place + 1]) : []),
  ]);

/** The names of schemes and of the parts of a cookie are no secrets. */
function secretsInHeader(name: string, value: string): string[] {
  if (!isSecret.test(name) && !(canBeSecret.test(name) && name.toLowerCase() !== 'idempotency-key')) return [];
  const parts = value
    .split(/[\s;,]+/)
    .filter((part) => !/^(?:basic|bearer|digest|negotiate|token|api-?key)$/i.test(part));
  return parts.flatMap((part) => {
    const [, inPart] = /^[\w.-]+="?([^="].*?)"?$/.exec(part) ?? [];
    const [, password] = /^[^:]*:([ -~]+)$/.exec(Buffer.from(part, 'base64').toString()) ?? [];
    return [inPart ?? part, password ?? []].flat();
  });
}

function secretsInBody(body: string): string[] {
  const json = readJson(body);
  return json === undefined ? [...secretsInForm(body), ...secretsInText(body)] : secretsInValue(json);
}

/** A query or a form, read as a server reads it: its values can contain any character. */
const secretsInForm = (text: string): string[] =>
  [...new URLSearchParams(text)].flatMap(([name, value]) => secretsInField(name, value));

/** Also reads JSON in strings. */
function secretsInValue(value: unknown): string[] {
  if (typeof value === 'string') return /^\s*[{[]/.test(value) ? secretsInBody(value) : [];
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.entries(value).flatMap(([name, one]) => secretsInField(name, one));
  return [...own, ...Object.values(value).flatMap(secretsInValue)];
}

/** All texts and numbers in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A field has one secret, or several in a list or an object. */
function secretsInField(name: string, value: unknown): string[] {
  const texts = textsIn(value);
  if (isSecret.test(name)) return texts.flatMap((text) => [text, ...text.split(/[\r\n]+/)]);
  return canBeSecret.test(name) ? texts.filter((text) => text.length >= minAmbiguous && /\d/.test(text)) : [];
}

/** Queries, forms, XML, and lines with a name and a value. */
const field = new RegExp(
  `([\\w.-]{0,40}(?:${endings}|${otherEndings})s?)["']?\\s{0,9}(?:[=:]\\s{0,9}(?:"([^"]+)"|'([^']+)'|([^\\s"'&<>;,]+))|[^<>]{0,200}>([^<]+)<)`,
  'gi',
);

const secretsInText = (text: string): string[] =>
  [...text.matchAll(field)].flatMap(([, name = '', ...values]) =>
    values.flatMap((value) => [value, decoded(value ?? '')]).flatMap((value) => secretsInField(name, value)),
  );

/** As a server reads a value of a query or a form. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}
