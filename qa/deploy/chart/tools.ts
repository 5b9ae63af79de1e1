/** The programs that check the chart, built from their Go modules at fixed versions, and modules whose files are read. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fromRoot } from '../../../tools/printed-file.ts';

export const cache = fromRoot('node_modules/.cache/chart');

const environment = { ...process.env, GOBIN: join(cache, 'bin'), GOFLAGS: '-mod=mod' };

const go = (...words: string[]) =>
  execFileSync('go', words, { env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** Returns the path of the program. */
function install(name: string, module: string): string {
  const program = join(cache, 'bin', `${name}-${module.split('@').at(-1)}`);
  if (!existsSync(program)) {
    console.log(`Building ${module}. This takes some minutes.`);
    go('install', module);
    execFileSync('mv', [join(cache, 'bin', name), program]);
  }
  return program;
}

export const helm = () => install('helm', 'helm.sh/helm/v3/cmd/helm@v3.22.0');
export const kubeconform = () => install('kubeconform', 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0');

/** Downloads a module, which Go verifies, and returns its folder. */
export const moduleFolder = (module: string): string =>
  (JSON.parse(go('mod', 'download', '-json', module)) as { Dir: string }).Dir;
