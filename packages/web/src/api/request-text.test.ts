import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlText, pythonText, shellWord } from './request-text.ts';

const request = {
  method: 'POST' as const,
  url: 'https://milepost.example.org/api/v2/callback_executions/914/retry',
  username: "o'brien",
  body: { reason: 'It\'s "down"; $(rm -rf /) `id` \\ %s\nשלום' },
};

/** The words that a real shell makes of it. */
const wordsOf = (text: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${text}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('a word for the shell', () => {
  it.each(["it's", '$HOME `id` "x" \\', '', "''", 'two\nlines', 'שלום', '!history', '-n'])('stays %j', (text) => {
    expect(wordsOf(shellWord(text))).toEqual([text]);
  });
});

describe('a request for curl', () => {
  it('is the same request, and has no password', () => {
    expect(wordsOf(curlText(request))).toEqual([
      'curl',
      '--fail-with-body',
      '--request',
      'POST',
      request.url,
      '--user',
      request.username,
      '--header',
      'content-type: application/json',
      '--data',
      JSON.stringify(request.body),
    ]);
  });
});

describe('a request for Python', () => {
  it('names the method, the address, who asks and the body, and asks for the password', () => {
    const text = pythonText(request);
    expect(text).toContain(`"${request.url}"`);
    expect(text).toContain(`auth=("o'brien", getpass.getpass())`);
    expect(text).toContain(`json=${JSON.stringify(request.body)}`);
  });
});
