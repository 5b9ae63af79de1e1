/**
 * Addresses that an allowed host name must not resolve to: unspecified, multicast, reserved and link-local addresses, and the
 * metadata services of cloud providers. Private networks are not blocked, because archives are there.
 */
import { BlockList, isIPv6 } from 'node:net';

const networks4: readonly [address: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const networks6: readonly [address: string, bits: number][] = [
  ['::', 128],
  ['100::', 64],
  ['fd00:ec2::254', 128],
  ['fe80::', 10],
  ['ff00::', 8],
];

const blocked = new BlockList();
for (const [address, bits] of networks6) blocked.addSubnet(address, bits, 'ipv6');
for (const [address, bits] of networks4) {
  blocked.addSubnet(address, bits, 'ipv4');
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const words = [a * 256 + b, c * 256 + d].map((word) => word.toString(16)).join(':');
  // The same networks inside IPv6 addresses: NAT64, 6to4 and the old IPv4-compatible form, in which ::1 is this machine.
  blocked.addSubnet(`64:ff9b::${words}`, 96 + bits, 'ipv6');
  blocked.addSubnet(`2002:${words}::`, 16 + bits, 'ipv6');
  if (a !== 0) blocked.addSubnet(`::${words}`, 96 + bits, 'ipv6');
}

/** Accepts IPv4, IPv6 and IPv4-mapped IPv6 addresses. */
export const isBlockedAddress = (address: string): boolean => blocked.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
