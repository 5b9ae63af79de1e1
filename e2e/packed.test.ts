/** What is in the package, and what is not. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { packageFile } from '../tools/pack.ts';

const contents = execFileSync('tar', ['-tzf', packageFile()], { encoding: 'utf8' }).trim().split('\n');

it('has the program, the pages, the migrations and its bill of materials', () => {
  for (const file of [
    'dist/milepost.js',
    'web/index.html',
    'node_modules/@milepost/server/migrations/grants.sql',
    'sbom.cdx.json',
  ])
    expect(contents).toContain(`package/${file}`);
});

it('has neither source control nor tests, sources or tools of development (V13.4.1, V15.2.3)', () => {
  expect(contents.length).toBeGreaterThan(100);
  expect(
    contents.filter((file) => /\.git|\.test\.|\.ts$|\.map$|\/(?:testing|tools|qa|e2e|bench)\//.test(file)),
  ).toEqual([]);
});
