import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlText, pythonText, shellWord } from './request-text.ts';

const request = {
  method: 'POST' as const,
  url: 'https://milepost.example.org/api/v2/callback_executions/914/retry',
  username: "o'brien",
  body: { reason: 'It\'s "down"; $(rm -rf /) `id` \\ %s\nשלום' },
};

/** Splits the text into words with a real shell. */
const wordsOf = (text: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${text}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('shellWord', () => {
  it.each(["it's", '$HOME `id` "x" \\', '', "''", 'two\nlines', 'שלום', '!history', '-n'])(
    'quotes %j as one word',
    (text) => {
      expect(wordsOf(shellWord(text))).toEqual([text]);
    },
  );
});

describe('curlText', () => {
  it('returns a command with the request, but without the password', () => {
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

describe('pythonText', () => {
  it('returns code that sends the URL, the username and the body, and prompts for the password', () => {
    const text = pythonText(request);
    expect(text).toContain(`"${request.url}"`);
    expect(text).toContain(`auth=("o'brien", getpass.getpass())`);
    expect(text).toContain(`json=${JSON.stringify(request.body)}`);
  });
});
