/** Generates a client in each language in an empty folder, and calls ten operations of a running server with it. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonEnvironment } from '../python-environment.ts';

export interface Target {
  folder: string;
  /** The OpenAPI document that the server served. */
  document: string;
  /** The base URL, the username and the password. */
  server: readonly [string, string, string];
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export function tryPython({ folder, document, server }: Target): void {
  const programs = pythonEnvironment('generated-clients', here('requirements.txt'));
  const run = runnerIn(folder, { PATH: `${programs}:${process.env['PATH']}` });
  const options = ['--meta', 'none', '--fail-on-warning', '--config', here('python-client.yaml')];
  run(
    'openapi-python-client',
    'generate',
    '--path',
    document,
    '--output-path',
    join(folder, 'milepost_client'),
    ...options,
  );
  copyFileSync(here('ten_operations.py'), join(folder, 'ten_operations.py'));
  run('python', 'ten_operations.py', ...server);
}

/** In a folder of its own, because openapi-typescript needs an older TypeScript than Milepost. */
export function tryTypescript({ folder: parent, document, server }: Target): void {
  const folder = join(parent, 'typescript');
  mkdirSync(folder);
  cpSync(here('typescript'), folder, { recursive: true });
  const run = runnerIn(folder, { PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}` });
  run('npm', 'ci', '--ignore-scripts', '--silent', '--no-audit', '--no-fund');
  run('openapi-typescript', document, '--output', 'generated.d.ts');
  run('tsc', '--project', 'tsconfig.json');
  run(process.execPath, 'ten-operations.ts', ...server);
}

const runnerIn =
  (cwd: string, env: Record<string, string>) =>
  (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] });
