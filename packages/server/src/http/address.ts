import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where a server listens, as an address that can be called. */
export function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
