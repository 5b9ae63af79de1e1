/** Parsers for the values of settings. Each returns the value, or throws an error that says what is valid. */
import { isIP } from 'node:net';
import { faultFinder, peopleOperations } from '@milepost/api';
import type { TSchema } from 'typebox';
import { splitList } from './integrations.ts';

export const wholeNumber = (min: number, max: number) => (text: string) => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new Error(`it must be a whole number from ${min} to ${max}`);
  return value;
};

export const oneOf =
  <const T extends string>(...allowed: T[]) =>
  (text: string): T => {
    const found = allowed.find((value) => value === text);
    if (found === undefined) throw new Error(`it must be one of: ${allowed.join(', ')}`);
    return found;
  };

export const hidePassword = (url: string) => url.replace(/\/\/[^/@]*@/, '//(hidden)@');

export const text = (value: string) => value;

export const shortText = (longest: number) => (value: string) => {
  const trimmed = value.trim();
  if (trimmed.length > longest) throw new Error(`it must have at most ${longest} characters`);
  return trimmed;
};

export const user = peopleOperations.createUser.body.properties;

/** Accepts what the operation `createUser` accepts for the same field. */
export const matching = (schema: TSchema) => {
  const find = faultFinder(schema);
  return (value: string) => {
    const [fault] = find(value);
    if (fault) throw new Error(fault.detail.replace(/^The body /, 'it ').replace(/\.$/, ''));
    return value;
  };
};

export function postgresUrl(value: string): string {
  if (!/^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? '')) {
    throw new Error('it must be a URL such as postgresql://milepost_app:secret@localhost:5432/milepost');
  }
  return value;
}

export function webOrigin(value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('it must be a URL such as https://milepost.example.org');
  if (url.search || url.hash || url.username) throw new Error('it must have only a scheme, host, port and path');
  return value.replace(/\/+$/, '');
}

export function basePath(value: string): string {
  if (!/^(\/[A-Za-z0-9_-]+)+$/.test(value)) throw new Error('it must be a path such as /api/v2');
  return value;
}

/** `10.0.0.5` or `10.0.0.4/30`. */
function isNetwork(value: string): boolean {
  const [address = '', bits] = value.split('/', 2);
  const version = isIP(address);
  return (
    version !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
  );
}

export const emptyOr =
  (read: (text: string) => string) =>
  (value: string): string =>
    value === '' ? '' : read(value);

/** `0.0.0.0/0`, `::/0`, and all of IPv4 written as IPv6. */
const matchesEveryAddress = (network: string): boolean => /\/0+$/.test(network) || /^::ffff:.*\/0*96$/i.test(network);

export function addresses(value: string): string[] {
  const list = splitList(value);
  const wrong = list.find((part) => !isNetwork(part));
  if (wrong !== undefined) throw new Error(`"${wrong}" must be an IP address or network, such as 10.0.0.5`);
  const tooWide = list.find(matchesEveryAddress);
  if (tooWide !== undefined)
    throw new Error(`"${tooWide}" contains every address, so any client could fake its address`);
  return list;
}
