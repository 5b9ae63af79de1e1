/**
 * Addresses at which no server of others is: nobody's, a whole group's, those of this wire alone, and where clouds tell
 * a machine its secrets. A name that leads there was not meant to. Private networks are not among them: archives are there.
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

const noHosts = new BlockList();
for (const [address, bits] of networks6) noHosts.addSubnet(address, bits, 'ipv6');
for (const [address, bits] of networks4) {
  noHosts.addSubnet(address, bits, 'ipv4');
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const words = [a * 256 + b, c * 256 + d].map((word) => word.toString(16)).join(':');
  // The same inside addresses of version 6: by NAT64, by 6to4, and as they once were written, where ::1 is this machine.
  noHosts.addSubnet(`64:ff9b::${words}`, 96 + bits, 'ipv6');
  noHosts.addSubnet(`2002:${words}::`, 16 + bits, 'ipv6');
  if (a !== 0) noHosts.addSubnet(`::${words}`, 96 + bits, 'ipv6');
}

/** Of an IP address, also one of version 4 that is written as one of version 6. */
export const isNoHost = (address: string): boolean => noHosts.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
