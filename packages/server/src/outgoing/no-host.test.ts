/** A name that is allowed leads where servers of others can be, and nowhere else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebServer, type WebServer } from '../../testing/counterparts/web-server.ts';
import { readAllowedTarget } from '../config/targets.ts';
import { createOutgoing } from './create-outgoing.ts';
import { isNoHost } from './no-host.ts';

let web: WebServer;
beforeAll(async () => {
  web = await startWebServer();
});
afterAll(() => web.stop());

/** Asks a name for which these addresses are told. */
function askWhereItLeads(told: readonly string[]) {
  const url = `http://astray.test:${web.port}/`;
  const outgoing = createOutgoing({ allow: [readAllowedTarget(url)], resolve: async () => told });
  return outgoing.request({ url, method: 'GET', signal: new AbortController().signal });
}

describe('a name that leads', () => {
  it.each([
    // Nobody: Linux takes it for this machine, so that without the guard the listener would answer.
    '0.0.0.0',
    '0.1.2.3',
    '::',
    '::ffff:0.0.0.0',
    '64:ff9b::',
    '2002::1',
    // This wire alone, where most clouds tell a machine its secrets, in all the ways to write it.
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::169.254.169.254',
    '64:ff9b::169.254.169.254',
    '2002:a9fe:a9fe::1',
    'fe80::1',
    'fe80::1%lo',
    // Where others do.
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    // Groups, everybody, and what is reserved.
    '224.0.0.1',
    '239.255.255.250',
    '64:ff9b::e000:1',
    'ff02::1',
    '240.0.0.1',
    '255.255.255.255',
    '100::1',
  ])('to %s is not followed, also where it leads to others besides', async (address) => {
    const before = web.connections();
    for (const told of [[address], ['127.0.0.1', address]]) {
      await expect(askWhereItLeads(told)).rejects.toThrow(
        `The name astray.test leads to ${address}, where no server is.`,
      );
    }
    expect(web.connections()).toBe(before);
  });

  it('to this machine is followed', async () => {
    expect((await askWhereItLeads(['127.0.0.1'])).status).toBe(200);
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
  ])('to %s may be followed: archives are on private networks', (address) => {
    expect(isNoHost(address)).toBe(false);
  });
});
