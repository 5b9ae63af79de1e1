/** Python virtual environments in `.venv`, one for each requirements file. One is created again when its file changes. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const environments = fileURLToPath(new URL('../.venv/', import.meta.url));

/** Returns the folder with the programs of the environment. */
export function pythonEnvironment(name: string, requirements: string): string {
  const folder = join(environments, name);
  const wanted = readFileSync(requirements, 'utf8');
  /** Written last, so that an incomplete environment has none. */
  const stamp = join(folder, 'requirements.txt');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    rmSync(folder, { recursive: true, force: true });
    run('python3', '-m', 'venv', folder);
    run(join(folder, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', '-r', requirements);
    writeFileSync(stamp, wanted);
  }
  return join(folder, 'bin');
}

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: ['ignore', 2, 2] });
