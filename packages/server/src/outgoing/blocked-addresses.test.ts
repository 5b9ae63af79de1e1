/** An allowed name must not resolve to a blocked address. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebServer, type WebServer } from '../../testing/counterparts/web-server.ts';
import { readAllowedTarget } from '../config/targets.ts';
import { createOutgoing } from './create-outgoing.ts';
import { isBlockedAddress } from './blocked-addresses.ts';

let web: WebServer;
beforeAll(async () => {
  web = await startWebServer();
});
afterAll(() => web.stop());

/** Sends a request to a name that resolves to these addresses. */
function requestTo(addresses: readonly string[]) {
  const url = `http://blocked.test:${web.port}/`;
  const outgoing = createOutgoing({ allow: [readAllowedTarget(url)], resolve: async () => addresses });
  return outgoing.request({ url, method: 'GET', signal: new AbortController().signal });
}

describe('a name that resolves', () => {
  it.each([
    // Unspecified: Linux connects to this machine, so without the check the listener would respond.
    '0.0.0.0',
    '0.1.2.3',
    '::',
    '::ffff:0.0.0.0',
    '64:ff9b::',
    '2002::1',
    // Link-local, where most clouds have their metadata service, in all notations.
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::169.254.169.254',
    '64:ff9b::169.254.169.254',
    '2002:a9fe:a9fe::1',
    'fe80::1',
    'fe80::1%lo',
    // Other metadata services.
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    // Multicast, broadcast and reserved addresses.
    '224.0.0.1',
    '239.255.255.250',
    '64:ff9b::e000:1',
    'ff02::1',
    '240.0.0.1',
    '255.255.255.255',
    '100::1',
  ])('to %s is rejected, even if it has other addresses', async (address) => {
    const before = web.connections();
    for (const addresses of [[address], ['127.0.0.1', address]]) {
      await expect(requestTo(addresses)).rejects.toThrow(
        `The name blocked.test resolves to the blocked address ${address}.`,
      );
    }
    expect(web.connections()).toBe(before);
  });

  it('to this machine is accepted', async () => {
    expect((await requestTo(['127.0.0.1'])).status).toBe(200);
  });

  it.each([
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '198.18.0.1',
    '169.253.0.1',
    '192.0.1.1',
    '::1',
    'fd12::1',
    '64:ff9b::a01:203',
    '2002:a01:203::1',
    '2001:db8::1',
  ])('to %s is not blocked, because archives are on private networks', (address) => {
    expect(isBlockedAddress(address)).toBe(false);
  });
});
