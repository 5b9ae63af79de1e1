/** Before `npm run dev`: builds the pages if they are missing or older than their sources. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { bundlePages } from './bundle-pages.ts';
import { fromRoot } from './printed-file.ts';

const sources = ['packages/web/index.html', 'packages/web/src', 'packages/api/src'].map(fromRoot);
const page = fromRoot('packages/web/dist/index.html');

const newest = (path: string): number =>
  Math.max(
    statSync(path).mtimeMs,
    ...(statSync(path).isDirectory() ? readdirSync(path).map((name) => newest(`${path}/${name}`)) : []),
  );

if (!existsSync(page) || Math.max(...sources.map(newest)) > statSync(page).mtimeMs) {
  console.error('Building the pages, about 20 seconds …');
  await bundlePages('warn');
}
