/** The contents of the package. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../tools/pack.ts';

const contents = execFileSync('tar', ['-tzf', packageFile()], { encoding: 'utf8' }).trim().split('\n');

describe('the package', () => {
  it('contains the program, the pages, the migrations and the bill of materials', () => {
    for (const file of [
      'dist/milepost.js',
      'web/index.html',
      'node_modules/@milepost/server/migrations/grants.sql',
      'sbom.cdx.json',
    ])
      expect(contents).toContain(`package/${file}`);
  });

  it('contains no source control data, tests, sources or development tools (V13.4.1, V15.2.3)', () => {
    expect(contents.length).toBeGreaterThan(100);
    expect(
      contents.filter((file) => /\.git|\.test\.|\.ts$|\.map$|\/(?:testing|tools|qa|e2e|bench)\//.test(file)),
    ).toEqual([]);
  });
});
