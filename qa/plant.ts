/** Runs something in a temporary copy of the tree with a planted bug. */
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const needed = ['package.json', 'vitest.config.ts', 'tsconfig.json', 'tsconfig.base.json', 'packages', 'qa'];
const isSource = (path: string) => !/\/(?:node_modules|dist)(?:\/|$)/.test(path);
/** Installed dependencies are linked, because patches do not change them. */
const installed = ['node_modules', '.venv'];

/** Throws if the patch does not apply. */
export async function withPlanted<T>(patch: URL, use: (copy: string) => Promise<T>): Promise<T> {
  const copy = await mkdtemp(join(tmpdir(), 'milepost-planted-'));
  try {
    for (const name of needed) await cp(join(root, name), join(copy, name), { recursive: true, filter: isSource });
    for (const name of installed) await symlink(join(root, name), join(copy, name));
    execFileSync('git', ['apply', fileURLToPath(patch)], { cwd: copy, encoding: 'utf8' });
    return await use(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
