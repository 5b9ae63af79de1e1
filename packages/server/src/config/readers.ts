/** How the text of a setting is read. Each returns the value, or throws a sentence that says what would be right. */
import { isIP } from 'node:net';
import { peopleOperations } from '@milepost/api';
import type { TSchema } from 'typebox';
import { faultFinder } from '../validation/validate.ts';
import { listed } from './outside.ts';

export const wholeNumber = (min: number, max: number) => (text: string) => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new Error(`a whole number from ${min} to ${max} is needed`);
  return value;
};

export const oneOf =
  <const T extends string>(...allowed: T[]) =>
  (text: string): T => {
    const found = allowed.find((value) => value === text);
    if (found === undefined) throw new Error(`one of these is needed: ${allowed.join(', ')}`);
    return found;
  };

export const text = (value: string) => value;

export const user = peopleOperations.createUser.body.properties;

/** What the operation that makes accounts would take. */
export const fitting = (schema: TSchema) => {
  const find = faultFinder(schema);
  return (value: string) => {
    const [fault] = find(value);
    if (fault) throw new Error(fault.detail.replace(/^The body /, 'it ').replace(/\.$/, ''));
    return value;
  };
};

export function postgresUrl(value: string): string {
  if (!/^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? '')) {
    throw new Error('an address such as postgresql://milepost_app:secret@localhost:5432/milepost is needed');
  }
  return value;
}

export function webOrigin(value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error('an address such as https://milepost.example.org is needed');
  if (url.search || url.hash || url.username) throw new Error('only scheme, host, port and path are allowed');
  return value.replace(/\/+$/, '');
}

export function basePath(value: string): string {
  if (!/^(\/[A-Za-z0-9_-]+)+$/.test(value)) throw new Error('a path such as /api/v2 is needed');
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
const isEverybody = (network: string): boolean => /\/0+$/.test(network) || /^::ffff:.*\/0*96$/i.test(network);

export function addresses(value: string): string[] {
  const list = listed(value);
  const wrong = list.find((part) => !isNetwork(part));
  if (wrong !== undefined) throw new Error(`"${wrong}" is not an IP address or network such as 10.0.0.5`);
  const everybody = list.find(isEverybody);
  if (everybody !== undefined) throw new Error(`"${everybody}" is everybody, who could then say to come from anywhere`);
  return list;
}
