/** What a log or a screen shows of secrets: nothing. */
import { sessionCookie } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { leastWork } from '../testing/least-work.ts';
import { createLogger } from './http/log.ts';
import { createRedaction } from './redact.ts';

const canary = 'c4nary"of\\mine';
const token = `mp_${'tokencanary'.repeat(4)}`;

function logged(say: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  const to = { write: (line: string) => void lines.push(line) };
  say(createLogger({ logLevel: 'info', secrets: [canary, 'short'] }, to));
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
    ['of an error with a connection string, a header and a secret', (log) => log.error({ err: carrying }, 'it failed')],
    ['of a message', (log) => log.info(`signs in with ${canary} at ${address}`)],
    ['of a header', (log) => log.info({ headers: { authorization: 'Bearer formcanary-formcanary' } }, 'asked')],
    ['of a header in words', (log) => log.info('sent Authorization: bearer formcanary.form_canary~1')],
    ['of a cookie', (log) => log.info(`Cookie: a=b; ${sessionCookie}=formcanary; c=d`)],
    ['of a field', (log) => log.info({ user: { Password: 'form"canary', secret: 'formcanary' } }, 'made')],
    ['of a token', (log) => log.info({ given: token }, token)],
    ['of the context', (log) => log.child({ from: canary, at: address }).info('here')],
  ])('%s has none of them (V16.2.5)', (_what, say) => {
    const text = logged(say);
    expect(text).toContain('(hidden)');
    expect(text).not.toMatch(/c4nary|form"?canary|form\\"canary|tokencanary|Zm9ybWNhbmFyeT/);
  });

  it('keeps what is no secret', () => {
    const text = logged((log) =>
      log.error({ err: carrying, short: 'short' }, 'Basic rights at http://db.example.org/a@b'),
    );
    for (const kept of ['no connection to', 'db.example.org/m', 'after', 'AUTH', 'Basic rights', '/a@b', 'short'])
      expect(text).toContain(kept);
  });

  it('of a very long line is written in time', () => {
    const redact = createRedaction([canary]);
    for (const part of ['://', ':', 'a', 'Basic ', '"password":"', '\\"', 'mp_', '@']) {
      expect(leastWork(1_000, () => redact(part.repeat(200_000))).ms).toBeLessThan(1_000);
    }
  });
});
