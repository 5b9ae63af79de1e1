/** The command line as scripts and people meet it: what goes where, and with which code it ends. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { milepost } from '../testing/dev-process.ts';

const { PATH, NODE_COMPILE_CACHE } = process.env;
const run = (...words: string[]) =>
  spawnSync(...milepost(...words), { encoding: 'utf8', env: { PATH, NODE_COMPILE_CACHE } });

describe('milepost', () => {
  it('--help begins with examples, on stdout, and is no failure', () => {
    const { stdout, stderr, status } = run('--help');
    expect(stdout).toMatch(/^Examples:\n {2}milepost dev --demo\n/);
    for (const command of ['dev', 'serve', 'work', 'migrate', 'export-history', 'verify', 'doctor', 'help'])
      expect(stdout).toContain(`  ${command}`);
    expect([stderr, status]).toEqual(['', 0]);
  });

  it.each([
    ['help', 'dev'],
    ['dev', '--help'],
    ['help', 'doctor'],
    ['migrate', '--help'],
  ])('%s %s answers with examples', (...words) => {
    const { stdout, status } = run(...words);
    expect(stdout).toMatch(/^Examples:\n/);
    expect(status).toBe(0);
  });

  it.each([
    [['doctro'], /Did you mean doctor\?/],
    [['dev', '--dmeo'], /Did you mean --demo\?/],
    [['dev', '--port', 'high'], /A port is a number up to 65535/],
    [['dev', 'all'], /too many arguments/],
    [['verify', '--public-key', 'key.pem', '--checkpoint', '12'], /A checkpoint is its number, a colon/],
    [['verify', 'history.ndjson'], /required option '--public-key <file>'/],
    [[], /Usage: milepost/],
  ])('%j is not understood, which stderr says and 2 tells', (words, says) => {
    const { stdout, stderr, status } = run(...words);
    expect(stderr).toMatch(says);
    expect([stdout, status]).toEqual(['', 2]);
  });

  it.each(['serve', 'work'])('%s without settings names what is missing and fails', (command) => {
    const { stderr, status } = run(command);
    expect(stderr).toContain('DATABASE_URL is not set.');
    expect(status).toBe(1);
  });

  it('migrate without settings says which it needs and fails', () => {
    const { stderr, status } = run('migrate');
    expect(stderr).toContain('MILEPOST_OWNER_DATABASE_URL');
    expect(status).toBe(1);
  });

  it('doctor shows plain lines where there is no terminal, and fails with what failed', () => {
    const { stdout, stderr, status } = run('doctor');
    expect(stdout).toMatch(/^ok {6}Node {8}v\d+\.\d+\.\d+\nfailed {2}Settings /);
    expect(stdout).not.toContain('\u001B');
    expect([stderr, status]).toEqual(['1 failed, 0 to look after.\n', 1]);
  });
});
