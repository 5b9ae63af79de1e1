/** Bundles the pages into packages/web/dist. Fails if the first page is too large. */
import { build } from 'vite';
import { fromRoot } from './printed-file.ts';

export async function bundlePages(logLevel: 'info' | 'warn' = 'info'): Promise<void> {
  await build({
    logLevel,
    configFile: fromRoot('packages/web/vite.config.ts'),
    configLoader: 'native',
    build: { emptyOutDir: true },
  });
}
