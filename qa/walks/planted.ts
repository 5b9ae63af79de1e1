/** Plants a fault in a copy of the tree, and looks in which of a thousand walks it shows. */
import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const needed = ['package.json', 'vitest.config.ts', 'tsconfig.json', 'tsconfig.base.json', 'packages', 'qa/walks'];
const isSource = (path: string) => !/\/(?:node_modules|dist)(?:\/|$)/.test(path);

export const patches = new URL('./planted/', import.meta.url);

/** Undefined where no walk disagreed; throws where the patch no longer fits. `told` is what the run said. */
export async function findFault(
  patch: string,
  seed: number,
  databaseUrl: string,
): Promise<{ walk: number | undefined; told: string }> {
  const copy = await mkdtemp(join(tmpdir(), 'milepost-planted-'));
  try {
    for (const name of needed) await cp(join(root, name), join(copy, name), { recursive: true, filter: isSource });
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    execFileSync('git', ['apply', fileURLToPath(new URL(patch, patches))], { cwd: copy, encoding: 'utf8' });
    const told = await runWalksIn(copy, { WALKS_SEED: String(seed), MILEPOST_TEST_DATABASE_URL: databaseUrl });
    const found = /in walk (\d+); walks: /.exec(told);
    return { walk: found ? Number(found[1]) : undefined, told };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** What was said; a run that finds a fault ends with an error, as it should. */
function runWalksIn(cwd: string, settings: Record<string, string>): Promise<string> {
  const env = { ...ofOurOwn(), ...settings, WALKS: '1000', WALKS_SHRINK: 'no', NO_COLOR: '1' };
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile('vitest', ['run', 'qa/walks/walks.test.ts'], { cwd, env }, (_, out, error) => resolve(out + error));
  return promise;
}

/** The run that asks is one of Vitest, too: what it was told, such as where its report goes, is not for this one. */
const ofOurOwn = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|MILEPOST_TEST_REPORT)/.test(name)));
