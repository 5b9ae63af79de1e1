/**
 * Finds the last commit with fewer migrations, all of them unchanged, and unpacks it into its own folder. It uses its own
 * packages, but third-party packages are linked from the current `node_modules`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Program } from '../../packages/server/testing/processes/program-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const migrations = 'packages/server/migrations';

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] });

const numbered = (file: string) => /\d{4}_\w+\.sql$/.test(file);

/** Undefined if the clone is shallow and does not contain the commit. */
export function findPrevious(): string | undefined {
  const current = readdirSync(join(root, migrations)).filter(numbered);
  const isPrevious = (commit: string) => {
    const files = git('ls-tree', '--name-only', commit, `${migrations}/`).trim().split('\n').filter(numbered);
    return files.length < current.length && files.every((file) => isUnchanged(commit, file));
  };
  const touching = git('log', '--format=%H %P', '--', migrations).trim().split('\n');
  const candidates = ['HEAD', ...touching.flatMap((line) => line.split(' ').slice(1, 2))];
  const found = candidates.find(isPrevious);
  if (found !== undefined) return git('rev-parse', found).trim();
  if (git('rev-parse', '--is-shallow-repository').trim() === 'true') return undefined;
  throw new Error('Found no commit with fewer, unchanged migrations. Were migrations rewritten?');
}

function isUnchanged(commit: string, file: string): boolean {
  try {
    return git('show', `${commit}:${file}`) === readFileSync(join(root, file), 'utf8');
  } catch {
    return false;
  }
}

export interface Previous {
  folder: string;
  program: (name: 'serve' | 'work' | 'migrate') => Program;
}

export function unpack(commit: string): Previous {
  const folder = mkdtempSync(join(tmpdir(), 'milepost-previous-'));
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const installed = join(root, 'node_modules');
  mkdirSync(join(folder, 'node_modules', '@milepost'), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name !== '@milepost') symlinkSync(join(installed, name), join(folder, 'node_modules', name));
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules', '@milepost', name));
  }
  const program = (name: string) => ({
    file: join(folder, `packages/server/src/bin/${name}.ts`),
    flags: ['--conditions=source'],
    settings: { MILEPOST_LOG_LEVEL: 'silent' },
  });
  return { folder, program };
}
