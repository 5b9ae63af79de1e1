/** The output and exit codes of `milepost workflow lint` and `milepost config lint`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createShell, type Shell } from '../../testing/run-milepost.ts';

const files = {
  'valid.yaml': 'label: w\nstates: [{label: a}]\n',
  'warned.yaml': 'label: w\nstates:\n  - label: a\n    callbacks: [{label: c, function: htpp}]\n',
  'faulty.yaml': 'label: w\nstates:\n  - label: a\n    callbaks: []\n',
  'broken.yaml': 'external_systems: [\n',
  'config.yaml': 'roles:\n  - {name: r, permissions: [worker_rn]}\n  - {name: r}\n',
};

let shell: Shell;
beforeAll(async () => {
  shell = await createShell();
  for (const [name, text] of Object.entries(files)) await shell.write(name, text);
});
afterAll(() => shell.remove());

const lint = (args: string) => shell.run(`milepost ${args}`);

describe('milepost workflow lint', () => {
  it('prints nothing to stdout and exits with 0 if a file has no findings', async () => {
    expect(await lint('workflow lint valid.yaml')).toEqual({
      stdout: '',
      stderr: '1 file: 0 errors, 0 warnings.\n',
      code: 0,
    });
  });

  it('prints a warning and exits with 0', async () => {
    const { stdout, stderr, code } = await lint('workflow lint warned.yaml');
    expect(stdout).toMatch(
      /^warned\.yaml:4:38: warning: "htpp" is not a built-in function\..* \[unknown_function\]\n$/,
    );
    expect([stderr, code]).toEqual(['1 file: 0 errors, 1 warning.\n', 0]);
  });

  it('prints the errors of all files and exits with 1', async () => {
    const { stdout, stderr, code } = await lint('workflow lint valid.yaml faulty.yaml warned.yaml');
    expect(stdout.split('\n')[0]).toBe(
      'faulty.yaml:4:5: error: /states/0/callbaks is not a known field. Did you mean "callbacks"? [unknown_field]',
    );
    expect([stderr, code]).toEqual(['3 files: 1 error, 1 warning.\n', 1]);
  });

  it('checks the other files and exits with 2 if a file cannot be read', async () => {
    const { stdout, stderr, code } = await lint('workflow lint missing.yaml faulty.yaml');
    expect(stdout).toContain('faulty.yaml:4:5: error');
    expect(stderr).toMatch(/^No file `missing\.yaml`\./);
    expect(code).toBe(2);
  });

  it('reports the errors of the file of --config, and exits with 1', async () => {
    const { stdout, stderr, code } = await lint('workflow lint valid.yaml --config broken.yaml');
    expect(stdout).toMatch(/^broken\.yaml:2:1: error: .* \[yaml_syntax\]\n$/);
    expect([stderr, code]).toEqual(['2 files: 1 error, 0 warnings.\n', 1]);
  });

  it('prints a JSON list with `-o json`', async () => {
    const { stdout, code } = await lint('workflow lint -o json faulty.yaml');
    expect(JSON.parse(stdout)).toEqual([
      {
        file: 'faulty.yaml',
        severity: 'error',
        code: 'unknown_field',
        line: 4,
        column: 5,
        message: '/states/0/callbaks is not a known field. Did you mean "callbacks"?',
      },
    ]);
    expect(code).toBe(1);
  });
});

describe('milepost config lint', () => {
  it('prints the findings of a configuration file', async () => {
    const { stdout, code } = await lint('config lint config.yaml');
    expect(stdout).toMatch(/^config\.yaml:2:29: warning: .*Did you mean "worker_run"\?.* \[unknown_permission\]$/m);
    expect(stdout).toMatch(/^config\.yaml:3:12: error: .*is already on line 2.* \[repeated_label\]$/m);
    expect(code).toBe(1);
  });
});
