/** Secrets in logs and on screens are hidden. */
import { inspect } from 'node:util';
import { sessionCookie } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { cpuMilliseconds } from '../../api/testing/cpu-milliseconds.ts';
import { createLogger } from './http/log.ts';
import { settingCookie } from './http/access/session-cookie.ts';
import { settingSignInCookie } from './http/access/sign-in-cookie.ts';
import { createRedaction } from './redact.ts';

const canary = 'c4nary"of\\mine';
const token = `mp_${'tokencanary'.repeat(4)}`;

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  const to = { write: (line: string) => void lines.push(line) };
  write(createLogger({ logLevel: 'info', secrets: [canary, 'short'] }, to));
  for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
  return lines.join('');
}

const address = 'postgresql://app:formcanary@db.example.org/m';
const carrying = Object.assign(new Error(`no connection to ${address}`, { cause: new Error(`after ${canary}`) }), {
  config: { headers: { authorization: 'Basic Zm9ybWNhbmFyeTpmb3JtY2FuYXJ5' } },
  command: `AUTH ${canary}`,
});

describe('the log', () => {
  it.each<[string, (log: ReturnType<typeof createLogger>) => void]>([
    ['an error with a connection string, a header and a secret', (log) => log.error({ err: carrying }, 'it failed')],
    ['a message', (log) => log.info(`signs in with ${canary} at ${address}`)],
    ['a header', (log) => log.info({ headers: { authorization: 'Bearer formcanary-formcanary' } }, 'asked')],
    ['a header in a message', (log) => log.info('sent Authorization: bearer formcanary.form_canary~1')],
    ['a cookie', (log) => log.info(`Cookie: a=b; ${sessionCookie}=formcanary; c=d`)],
    ['a field', (log) => log.info({ user: { Password: 'form"canary', secret: 'formcanary' } }, 'made')],
    ['a token', (log) => log.info({ given: token }, token)],
    ['basic credentials alone', (log) => log.info('sent Basic Zm9ybWNhbmFyeTpmb3JtY2FuYXJ5')],
    ['a bearer credential alone', (log) => log.info('sent BEARER formcanary-formcanary')],
    ['an API token alone', (log) => log.info(`sent mp_${'formcanary'.repeat(4)}`)],
    ['the context of a logger', (log) => log.child({ from: canary, at: address }).info('here')],
  ])('hides the secrets of %s (V16.2.5)', (_what, write) => {
    const text = logged(write);
    expect(text).toContain('(hidden)');
    expect(text).not.toMatch(/c4nary|form"?canary|form\\"canary|tokencanary|Zm9ybWNhbmFyeT/);
  });

  it.each([
    'password',
    'Password',
    'current_password',
    'new_password',
    'secret',
    'secret_key',
    'client_secret',
    'clientSecret',
    'token',
    'id_token',
    'access_token',
    'refresh_token',
    'code_verifier',
    'client_assertion',
    'private_key',
    'apiKey',
    'authorization',
    'Proxy-Authorization',
    'cookie',
    'Set-Cookie',
  ])('hides the value of the field %s in every form (V16.2.5)', (name) => {
    const value = 'form"canary\\n\'x';
    const writers: Parameters<typeof logged>[0][] = [
      (log) => log.info({ [name]: value }, 'an object'),
      (log) => log.info({ a: { b: [{ [name]: value }] } }, 'a nested object'),
      (log) => log.info({ [name]: [value, value] }, 'a list'),
      (log) => log.info(`a string ${JSON.stringify({ x: 1, [name]: value, y: 2 })}`),
      (log) => log.info(`with spaces ${JSON.stringify({ [name]: 'formcanary' }, null, 1)}`),
      (log) => log.info(`as Python prints it {"x": 1, "${name}": "formcanary", "y": 2}`),
      (log) => log.info(`as Node prints it ${inspect({ x: { [name]: value.replace('"', '') } }, { depth: 3 })}`),
      (log) => log.info(`as Node prints most strings ${inspect({ [name]: 'formcanary' })}`),
      (log) => log.info(`a form a=b&${name}=formcanary&c=d`),
      (log) => log.error({ err: new Error(`of ${JSON.stringify({ [name]: value })}`) }, 'an error'),
    ];
    for (const write of writers) {
      const text = logged(write);
      expect(text).toContain('(hidden)');
      expect(text).not.toMatch(/canary/);
    }
  });

  it.each([
    ['Authorization: Digest username="formcanary", response="formcanary"', 'Authorization: (hidden)'],
    ['proxy-authorization: Negotiate formcanary', 'proxy-authorization: (hidden)'],
    ['Authorization: formcanary formcanary', 'Authorization: (hidden)'],
    ['Cookie: other=formcanary; more=formcanary', 'Cookie: (hidden)'],
    ['Set-Cookie: other=formcanary; Path=/', 'Set-Cookie: (hidden)'],
    [settingSignInCookie('formcanary'), '__Host-milepost-sign-in=(hidden); Path=/'],
    [settingCookie('formcanary'), '__Host-milepost=(hidden); Path=/'],
    ['GET /sign-in/oidc/callback?code=formcanary&state=x', 'callback?code=(hidden)&state=x'],
  ])('hides the secret in the line %s (V16.2.5)', (line, left) => {
    // Without quotes, because a quote would end the line inside JSON.
    const text = createRedaction()(line.replaceAll('"', ''));
    expect(text).toContain(left);
    expect(text).not.toContain('canary');
  });

  it.each([
    ['{"user": "a", "password": "hunter22", "b": 1}', '{"user": "a", "password": "(hidden)", "b": 1}'],
    ['{"tokens" : 2, "id_token" : ["hunter22", "hunter23"]}', '{"tokens" : 2, "id_token" : "(hidden)"}'],
    ['{"code": "hunter22-9e107d9d372bb6826bd81d35"}', '{"code": "(hidden)"}'],
    ['Rejected token: hunter22 of xnat', 'Rejected token: (hidden) of xnat'],
    ['access_token: hunter22', 'access_token: (hidden)'],
    [`clone with ${['ghp', 'hunter22'.repeat(5)].join('_')} failed`, 'clone with (hidden) failed'],
    [`clone with ${['github_pat', 'hunter22'.repeat(5)].join('_')} failed`, 'clone with (hidden) failed'],
    [`push with ${['glpat', 'hunter22_hunter-22abc'].join('-')} failed`, 'push with (hidden) failed'],
    [`The key ${['sk', 'proj', 'hunter22'.repeat(5)].join('-')} is wrong`, 'The key (hidden) is wrong'],
  ])('hides the secret in the text %s', (text, left) => {
    expect(createRedaction()(text)).toBe(left);
  });

  it.each([
    'Unexpected token: < at line 3',
    'task-segmentation-of-sk-learn failed',
    'Invalid token: expected a number',
  ])('keeps %s', (text) => expect(createRedaction()(text)).toBe(text));

  it('hides secrets in the header list of Node, and the authorization code of a provider', () => {
    const rawHeaders = ['Authorization', 'Digest formcanary', 'cookie', 'a=formcanary', 'Host', 'x.example.org'];
    const text = logged((log) => log.info({ rawHeaders, code: 'formcanary-9e107d9d372bb6826bd81d35' }, 'asked'));
    expect(text).not.toContain('canary');
    expect(text).toContain('x.example.org');
  });

  it('keeps error codes and fields that are only named like secrets', () => {
    const kept = {
      code: 'ECONNREFUSED',
      token_id: 7,
      token_endpoint: 'https://id.example.org/token',
      problem: { code: 'database_unavailable' },
      other: { code: 'ERR_HTTP2_INVALID_CONNECTION_HEADERS' },
      password_reset: 'sent',
    };
    expect(JSON.parse(logged((log) => log.info(kept, 'the secret is out: a cookie')))).toMatchObject(kept);
  });

  it('keeps text that is not secret', () => {
    const text = logged((log) =>
      log.error({ err: carrying, short: 'short' }, 'Basic rights at http://db.example.org/a@b'),
    );
    for (const kept of ['no connection to', 'db.example.org/m', 'after', 'AUTH', 'Basic rights', '/a@b', 'short'])
      expect(text).toContain(kept);
  });

  // Beginnings of patterns, which the tests repeat.
  const beginnings = [
    '://',
    ':',
    'a',
    '-a',
    'Basic ',
    '"password":"',
    '\\"',
    'mp_',
    '@',
    'cookie: ',
    '"token":["',
    '?code',
    'secret=',
    'token: ',
    'password:',
    'sk-',
    'ghp_',
    '"token" : ',
  ];

  it.each(beginnings)('hides the secret after a very long line of %s', (part) => {
    const line = createRedaction()(`${part.repeat(20_000)}\n"password":"formcanary" Bearer formcanary`);
    expect(line).toContain('(hidden)');
    expect(line).not.toContain('canary');
  });

  it(
    'needs less than a second of CPU time if a line repeats the beginning of a pattern 200,000 times',
    { tags: ['nightly'] },
    () => {
      const redact = createRedaction([canary]);
      for (const part of beginnings) {
        const line = part.repeat(200_000);
        expect(cpuMilliseconds(() => redact(line))).toBeLessThan(1_000);
      }
    },
  );
});
