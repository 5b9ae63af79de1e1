/** TLS versions, ciphers and certificates of outgoing connections. The test servers have an untrusted certificate. */
import type { AddressInfo } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { readAllowedTarget } from '../config/targets.ts';
import { createOutgoing } from './create-outgoing.ts';

const open: SMTPServer[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => new Promise<void>((done) => server.close(() => done())))));

/** Starts a server that uses TLS from the first byte. Returns its port and the number of established connections. */
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
    () => new Error('a response'),
    (error: Error) => error,
  );
  return message;
}

/** All ciphers of OpenSSL, so that only our side can reject them. */
const everything = 'ALL:eNULL@SECLEVEL=0';

describe('a web server', () => {
  it('is rejected if its certificate is not trusted (V12.3.2)', async () => {
    const { port } = await listen({});
    expect(await failureAt(port)).toMatch(/certificate/);
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)('is rejected if it supports at most %s (V12.1.1)', async (version) => {
    const { port, secured } = await listen({ minVersion: 'TLSv1', maxVersion: version, ciphers: everything });
    expect(await failureAt(port)).toMatch(/protocol/i);
    expect(secured()).toBe(0);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'that supports only %s passes the TLS version check and fails only at its untrusted certificate (V12.1.1)',
    async (version) => {
      const { port } = await listen({ minVersion: version, maxVersion: version });
      expect(await failureAt(port)).toMatch(/certificate/);
    },
  );

  it.each(['NULL-SHA256', 'AECDH-AES128-SHA', 'ADH-AES128-GCM-SHA256'])(
    'is rejected if it requires the cipher %s',
    async (cipher) => {
      const { port, secured } = await listen({ maxVersion: 'TLSv1.2', ciphers: `${cipher}@SECLEVEL=0` });
      expect(await failureAt(port)).toMatch(/handshake failure/i);
      expect(secured()).toBe(0);
    },
  );
});
