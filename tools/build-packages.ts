/** Compiles the packages into their `dist` folders, in the order of their dependencies, then bundles the pages. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePages } from './bundle-pages.ts';
import { fromRoot } from './printed-file.ts';
import { runStages, type Stage } from './run-stages.ts';

const packages = ['packages/api', 'packages/definitions', 'packages/server', 'packages/cli', 'packages/milepost'];

const compile = (folder: string): Stage => ({ name: folder, command: ['tsc', '-p', `${folder}/tsconfig.build.json`] });

function sizeLine(folder: string): string {
  const dist = fromRoot(`${folder}/dist`);
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  const bytes = files.map((file) => statSync(join(dist, file)).size).reduce((sum, size) => sum + size, 0);
  return `${folder}/dist: ${files.length} files of JavaScript, ${Math.round(bytes / 1024)} KiB`;
}

/** Returns whether everything compiled. */
export async function compilePackages(): Promise<boolean> {
  for (const folder of packages) rmSync(fromRoot(`${folder}/dist`), { recursive: true, force: true });
  for (const folder of packages) {
    if (!(await runStages([compile(folder)]))) return false;
    console.log(sizeLine(folder));
  }
  await bundlePages();
  return true;
}
