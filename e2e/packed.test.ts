/** The contents of the package. */
import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientPackageFile, packageFile } from '../tools/pack.ts';

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

describe('the package with the command line alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'milepost-cli-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('starts without third-party packages, and does not contain the server', () => {
    execFileSync('tar', ['-xzf', clientPackageFile(), '-C', folder]);
    const program = join(folder, 'package/dist/milepost.js');
    const help = execFileSync(process.execPath, [program, '--help'], { encoding: 'utf8' });
    expect(help).toContain('\n  experiment  ');
    expect(help).not.toContain('\n  serve ');
    const files = execFileSync('tar', ['-tzf', clientPackageFile()], { encoding: 'utf8' });
    expect(files).not.toMatch(/@milepost\/server|\.ts\n|\.map\n/);
  });

  it('fails with a message for a wrong command', () => {
    const { stderr, status } = spawnSync(process.execPath, [join(folder, 'package/dist/milepost.js'), 'cohrt'], {
      encoding: 'utf8',
    });
    expect([stderr, status]).toEqual([expect.stringContaining('Did you mean `milepost cohort`?'), 2]);
  });
});
