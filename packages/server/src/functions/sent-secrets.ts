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
/** Other values can have names with these endings, too. Such a value is a secret if it contains a digit. */
const otherEndings = 'key|auth|sig|signature|pass';
const canBeSecret = new RegExp(`(?:${otherEndings})$`, 'i');

/** A longer value is a document. */
const maxLength = 4096;

export function secretsInRequest({ url, headers = {}, body }: Sent): string[] {
  const { username = '', password = '', search = '' } = URL.parse(url) ?? {};
  return [
    ...Object.entries(headers).flatMap(([name, value]) => secretsInHeader(name, value)),
    ...(password === '' ? [username] : [password, decoded(password)]),
    ...secretsInText(search),
    ...(typeof body === 'string' ? secretsInBody(body) : []),
  ].filter(({ length }) => length <= maxLength);
}

/** `--token abc` and `--token=abc`. */
export const secretsInCommand = (args: readonly string[]): string[] =>
  args.flatMap((arg, place) => [
    ...secretsInText(arg),
    ...(arg.startsWith('-') ? secretsInField(arg, args[place + 1]) : []),
  ]);

/** The names of schemes and of the parts of a cookie are no secrets. */
function secretsInHeader(name: string, value: string): string[] {
  if (!/authorization|cookie|key|token|secret|password/i.test(name)) return [];
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
  return json === undefined ? secretsInText(body) : secretsInValue(json);
}

/** Also reads JSON in strings. */
function secretsInValue(value: unknown): string[] {
  if (typeof value === 'string') return /^\s*[{[]/.test(value) ? secretsInBody(value) : [];
  if (typeof value !== 'object' || value === null) return [];
  const own = Object.entries(value).flatMap(([name, one]) => secretsInField(name, one));
  return [...own, ...Object.values(value).flatMap(secretsInValue)];
}

/** A field has one secret or a list of them. */
function secretsInField(name: string, value: unknown): string[] {
  const texts = [value]
    .flat()
    .flatMap((one) => (typeof one === 'string' || typeof one === 'number' ? String(one) : []));
  if (isSecret.test(name)) return texts.flatMap((text) => [text, ...text.split(/[\r\n]+/)]);
  return canBeSecret.test(name) ? texts.filter((text) => /\d/.test(text)) : [];
}

/** Queries, forms, XML, and lines with a name and a value. */
const field = new RegExp(
  `([\\w.-]{0,40}(?:${endings}|${otherEndings})s?)["']?\\s{0,9}(?:[=:]\\s{0,9}(?:"([^"]+)"|'([^']+)'|([^\\s"'&<>;,]+))|>([^<]+)<)`,
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
