import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The URL at which a server listens. */
export function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Reads the URL from the operating system once. It stays the same while the server listens. */
export function addressReader(server: Server): () => string {
  let address: string | undefined;
  return () => (address ??= addressOf(server));
}
