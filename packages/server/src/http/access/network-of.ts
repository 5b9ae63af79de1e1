/**
 * The network for which sign-in failures are counted. An IPv6 client has 2^64 addresses, so its whole /64 network counts as one.
 * An IPv4 address counts on its own, even if it is written as IPv6.
 */
import { isIP } from 'node:net';

export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [written = ''] = address.split('%');
  const version4 = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(written)?.[1];
  return version4 ?? `${firstGroups(written).join(':')}::/64`;
}

/** `::` stands for the missing zero groups. */
function firstGroups(address: string): string[] {
  const [front, back] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = back ? Array<string>(8 - (front?.length ?? 0) - back.length).fill('0') : [];
  return [...(front ?? []), ...zeros, ...(back ?? [])]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16));
}
