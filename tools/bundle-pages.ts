/** The pages into packages/web/dist, for the server to serve. Vite says their sizes; too large a first page is refused. */
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
