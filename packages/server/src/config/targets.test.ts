import { describe, expect, it } from 'vitest';
import { isAllowed, originOf, readAllowedTarget, targetOf } from './targets.ts';

describe('targetOf', () => {
  it.each([
    ['http://127.0.0.1', 'http://127.0.0.1:80'],
    ['https://XNAT.Example.ORG/path?x=1', 'https://xnat.example.org:443'],
    ['https://xnat.example.org.:8443', 'https://xnat.example.org:8443'],
    ['http://2130706433/', 'http://127.0.0.1:80'],
    ['http://0x7f000001:81/', 'http://127.0.0.1:81'],
    ['http://0177.0.0.01/', 'http://127.0.0.1:80'],
    ['http://127.1/', 'http://127.0.0.1:80'],
    ['http://127.0.0.1./', 'http://127.0.0.1:80'],
    ['http://１２７.０.０.１/', 'http://127.0.0.1:80'],
    ['http://[::ffff:127.0.0.1]/', 'http://127.0.0.1:80'],
    ['http://[0:0:0:0:0:ffff:7f00:0001]/', 'http://127.0.0.1:80'],
    ['http://[::127.0.0.1]/', 'http://[::7f00:1]:80'],
    ['http://[0:0::1]:8080/', 'http://[::1]:8080'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example:443'],
    ['http://%31%32%37.0.0.1/', 'http://127.0.0.1:80'],
    ['http:\\\\xnat.example.org\\@evil.example/', 'http://xnat.example.org:80'],
  ])('normalises %s to %s', (text, origin) => {
    expect(originOf(targetOf(new URL(text)))).toBe(origin);
  });

  it.each(['ftp://127.0.0.1/', 'file:///etc/passwd', 'data:text/plain,x', 'ws://127.0.0.1/', 'unix:/run/x.sock'])(
    'rejects the scheme of %s',
    (text) => {
      expect(() => targetOf(new URL(text))).toThrow('only http and https');
    },
  );

  it.each(['http://me@127.0.0.1/', 'http://me:secret@127.0.0.1/', 'http://:secret@127.0.0.1/'])(
    'rejects the credentials in %s',
    (text) => {
      expect(() => targetOf(new URL(text))).toThrow('username or password');
    },
  );
});

describe('readAllowedTarget', () => {
  it.each([
    ['https://xnat.example.org', 'https', 'xnat.example.org', 443],
    ['http://XNAT.example.org./', 'http', 'xnat.example.org', 80],
    ['http://127.0.0.1:8089', 'http', '127.0.0.1', 8089],
    ['http://10.1.2.3:*', 'http', '10.1.2.3', '*'],
    ['http://[::1]:*', 'http', '::1', '*'],
    ['https://[2001:db8::1]', 'https', '2001:db8::1', 443],
  ])('reads the scheme, host and port of %s', (text, scheme, host, port) => {
    expect(readAllowedTarget(text)).toEqual({ scheme, host, port });
  });

  it.each([
    ['xnat.example.org', 'must be a URL such as'],
    ['http://', 'must be a URL such as'],
    ['http://:80', 'must be a URL such as'],
    ['http://*', 'only the port can be *'],
    ['https://*.example.org', 'only the port can be *'],
    ['http://host:*:*', 'must be a URL such as'],
    ['ftp://host', 'must be a URL such as'],
    ['http:/host', 'must be a URL such as'],
    ['http:///host', 'must be a URL such as'],
    ['http://host/path', 'must end after the host or port'],
    ['http://host?x', 'must end after the host or port'],
    ['http://host#x', 'must end after the host or port'],
    ['http://host?', 'must end after the host or port'],
    ['http://me:secret@host', 'username or password'],
    ['http://host:99999', 'must be a URL such as'],
  ])('rejects %s', (text, reason) => {
    expect(() => readAllowedTarget(text)).toThrow(reason);
  });
});

describe('isAllowed', () => {
  it.each([
    ['http://host:81', 'http://host:81', true],
    ['http://host:81', 'http://host:80', false],
    ['http://host:81', 'https://host:81', false],
    ['http://host:*', 'http://host:1', true],
    ['http://host:*', 'https://host:1', false],
    ['http://host:*', 'http://a.host:1', false],
    ['http://host:*', 'http://hos:1', false],
    ['http://127.0.0.1:80', 'http://0x7f.1', true],
  ])('returns $2 for $1 if only $0 is allowed', (allowed, requested, result) => {
    expect(isAllowed(targetOf(new URL(requested)), [readAllowedTarget(allowed)])).toBe(result);
  });
});
