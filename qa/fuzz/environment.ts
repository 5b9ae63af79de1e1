/** The Python virtual environment of Schemathesis. It is created again when the requirements change. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../.venv/', import.meta.url));
const requirements = fileURLToPath(new URL('./requirements.txt', import.meta.url));
/** Written last, so that an incomplete environment has none. */
const stamp = join(folder, 'requirements.txt');

/** Returns the path of the program. */
export function schemathesis(): string {
  const wanted = readFileSync(requirements, 'utf8');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    rmSync(folder, { recursive: true, force: true });
    run('python3', '-m', 'venv', folder);
    run(join(folder, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', '-r', requirements);
    writeFileSync(stamp, wanted);
  }
  return join(folder, 'bin/schemathesis');
}

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: ['ignore', 2, 2] });
