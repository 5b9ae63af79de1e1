/** The output and exit codes of `milepost workflow lint` and `milepost config lint`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { milepost } from '../testing/dev-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'milepost-lint-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileWith = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return name;
};
const run = (...args: string[]) => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return spawnSync(...milepost(...args), { cwd: folder, encoding: 'utf8', env: { PATH, NODE_COMPILE_CACHE } });
};

const valid = fileWith('valid.yaml', 'label: w\nstates: [{label: a}]\n');
const warned = fileWith(
  'warned.yaml',
  'label: w\nstates:\n  - label: a\n    callbacks: [{label: c, function: htpp}]\n',
);
const faulty = fileWith('faulty.yaml', 'label: w\nstates:\n  - label: a\n    callbaks: []\n');

describe('milepost workflow lint', () => {
  it('prints nothing to stdout and exits with 0 if a file has no findings', () => {
    const { stdout, stderr, status } = run('workflow', 'lint', valid);
    expect([stdout, stderr, status]).toEqual(['', '1 file: 0 errors, 0 warnings.\n', 0]);
  });

  it('prints a warning and exits with 0', () => {
    const { stdout, stderr, status } = run('workflow', 'lint', warned);
    expect(stdout).toMatch(
      /^warned\.yaml:4:38: warning: "htpp" is not a built-in function\..* \[unknown_function\]\n$/,
    );
    expect([stderr, status]).toEqual(['1 file: 0 errors, 1 warning.\n', 0]);
  });

  it('prints the errors of all files and exits with 1', () => {
    const { stdout, stderr, status } = run('workflow', 'lint', valid, faulty, warned);
    expect(stdout.split('\n')[0]).toBe(
      'faulty.yaml:4:15: error: /states/0/callbaks is not a known field. Did you mean "callbacks"? [unknown_field]',
    );
    expect([stderr, status]).toEqual(['3 files: 1 error, 1 warning.\n', 1]);
  });

  it('checks the other files and exits with 2 if a file cannot be read', () => {
    const { stdout, stderr, status } = run('workflow', 'lint', 'missing.yaml', faulty);
    expect(stdout).toContain('faulty.yaml:4:15: error');
    expect(stderr).toMatch(/^Cannot read missing\.yaml: ENOENT/);
    expect(status).toBe(2);
  });

  it('prints a JSON list with `--json`', () => {
    const { stdout, status } = run('workflow', 'lint', '--json', faulty);
    expect(JSON.parse(stdout)).toEqual([
      {
        file: faulty,
        severity: 'error',
        code: 'unknown_field',
        line: 4,
        column: 15,
        message: '/states/0/callbaks is not a known field. Did you mean "callbacks"?',
      },
    ]);
    expect(status).toBe(1);
  });
});

describe('milepost config lint', () => {
  it('prints the findings of a configuration file', () => {
    const file = fileWith('config.yaml', 'roles:\n  - {name: r, permissions: [worker_rn]}\n  - {name: r}\n');
    const { stdout, status } = run('config', 'lint', file);
    expect(stdout).toMatch(/^config\.yaml:2:29: warning: .*Did you mean "worker_run"\?.* \[unknown_permission\]$/m);
    expect(stdout).toMatch(/^config\.yaml:3:12: error: .*is already on line 2.* \[repeated_label\]$/m);
    expect(status).toBe(1);
  });
});
