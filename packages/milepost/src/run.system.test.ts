/** The output and exit codes of the command line. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { milepost } from '../testing/dev-process.ts';

const { PATH, NODE_COMPILE_CACHE } = process.env;
const run = (...args: string[]) =>
  spawnSync(...milepost(...args), { encoding: 'utf8', env: { PATH, NODE_COMPILE_CACHE } });

describe('milepost', () => {
  it('prints help that begins with examples to stdout and exits with 0', () => {
    const { stdout, stderr, status } = run('--help');
    expect(stdout).toMatch(/^Examples:\n {2}milepost dev --demo\n/);
    for (const command of ['dev', 'serve', 'work', 'migrate', 'export-history', 'verify', 'doctor', 'admin', 'help'])
      expect(stdout).toContain(`  ${command}`);
    expect([stderr, status]).toEqual(['', 0]);
  });

  it('exits with 0 and prints no error if the reader of its output closes the pipe', () => {
    const [file, flags] = milepost('help', 'dev');
    const pipeline = `set -o pipefail; "$0" "$@" | exec 0<&-`;
    const { stderr, status } = spawnSync('bash', ['-c', pipeline, file, ...flags], { encoding: 'utf8' });
    expect([stderr, status]).toEqual(['', 0]);
  });

  it.each([
    ['help', 'dev'],
    ['dev', '--help'],
    ['help', 'doctor'],
    ['migrate', '--help'],
    ['workflow', 'lint', '--help'],
    ['config', 'lint', '--help'],
  ])('prints examples for `%s %s`', (...args) => {
    const { stdout, status } = run(...args);
    expect(stdout).toMatch(/^Examples:\n/);
    expect(status).toBe(0);
  });

  it.each([
    [['doctro'], /Did you mean `milepost doctor`\?/],
    [['admin', 'reset-pasword'], /Did you mean `milepost admin reset-password`\?/],
    [['dev', '--dmeo'], /Did you mean --demo\?/],
    [['dev', '--port', 'high'], /--port must be a whole number from 0 to 65535, not `high`/],
    [['dev', 'all'], /`milepost dev` takes no argument `all`/],
    [['verify', '--public-key', 'key.pem', '--checkpoint', '12'], /--checkpoint must be NUMBER:HASH/],
    [['verify', 'history.ndjson'], /--public-key is required/],
    [[], /See `milepost --help`/],
  ])('rejects the arguments %j with a message on stderr and exit code 2', (args, message) => {
    const { stdout, stderr, status } = run(...args);
    expect(stderr).toMatch(message);
    expect([stdout, status]).toEqual(['', 2]);
  });

  it.each(['serve', 'work'])('names the missing setting and fails when `%s` runs without settings', (command) => {
    const { stderr, status } = run(command);
    expect(stderr).toContain('DATABASE_URL is required.');
    expect(status).toBe(1);
  });

  it('names the required settings and fails when `migrate` runs without settings', () => {
    const { stderr, status } = run('migrate');
    expect(stderr).toContain('MILEPOST_OWNER_DATABASE_URL');
    expect(status).toBe(1);
  });

  it('prints the checks of `doctor` without colours if stdout is not a terminal, and exits with 1 if a check fails', () => {
    const { stdout, stderr, status } = run('doctor');
    expect(stdout).toMatch(/^ok {6}Node {8}v\d+\.\d+\.\d+\nfailed {2}Settings /);
    expect(stdout).not.toContain('\u001B');
    expect([stderr, status]).toEqual(['Failed: 1. Warnings: 0.\n', 1]);
  });

  it('prints the checks of `doctor --json` as one JSON document', () => {
    const { stdout, stderr, status } = run('doctor', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: 1,
      warning: 0,
      failed: 1,
      checks: [
        { check: 'Node', outcome: 'ok' },
        { check: 'Settings', outcome: 'failed' },
      ],
    });
    expect([stderr, status]).toEqual(['', 1]);
  });
});
