/** Connections in TLS: with whom and how they are made at all. The counterparts have a certificate that nobody trusts. */
import type { AddressInfo } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { readAllowedTarget } from '../config/targets.ts';
import { createOutgoing } from './create-outgoing.ts';

const open: SMTPServer[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => new Promise<void>((done) => server.close(() => done())))));

/** Speaks TLS from the first byte, as a web server does. Answers with its port and the connections that came to be. */
async function listen(options: SecureContextOptions) {
  let secured = 0;
  const server = new SMTPServer({ secure: true, ...options });
  open.push(server);
  server.on('error', () => undefined);
  server.server.on('secureConnection', () => (secured += 1));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  return { port: (server.server.address() as AddressInfo).port, secured: () => secured };
}

async function failureAt(port: number): Promise<string> {
  const url = `https://127.0.0.1:${port}`;
  const outgoing = createOutgoing({ allow: [readAllowedTarget(url)] });
  const signal = new AbortController().signal;
  const { message } = await outgoing.request({ url, method: 'GET', signal }).then(
    () => new Error('an answer'),
    (error: Error) => error,
  );
  return message;
}

/** What our side does not refuse first: all that OpenSSL still knows. */
const everything = 'ALL:eNULL@SECLEVEL=0';

describe('a web server', () => {
  it('whose certificate nobody trusts is not spoken to (V12.3.2)', async () => {
    const { port } = await listen({});
    expect(await failureAt(port)).toMatch(/certificate/);
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)('that speaks %s at most is not spoken to (V12.1.1)', async (version) => {
    const { port, secured } = await listen({ minVersion: 'TLSv1', maxVersion: version, ciphers: everything });
    expect(await failureAt(port)).toMatch(/protocol/i);
    expect(secured()).toBe(0);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'that speaks %s alone is spoken to, up to its certificate (V12.1.1)',
    async (version) => {
      const { port } = await listen({ minVersion: version, maxVersion: version });
      expect(await failureAt(port)).toMatch(/certificate/);
    },
  );

  it.each(['NULL-SHA256', 'AECDH-AES128-SHA', 'ADH-AES128-GCM-SHA256'])(
    'that wants the cipher %s is not spoken to',
    async (cipher) => {
      const { port, secured } = await listen({ maxVersion: 'TLSv1.2', ciphers: `${cipher}@SECLEVEL=0` });
      expect(await failureAt(port)).toMatch(/handshake failure/i);
      expect(secured()).toBe(0);
    },
  );
});
