import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  dependencies?: Record<string, string>;
}

describe('the packages of the generated TypeScript client', () => {
  const { '': root, ...packages } = (
    JSON.parse(read('./typescript/package-lock.json')) as { packages: Record<string, Locked> }
  ).packages;
  const { dependencies } = JSON.parse(read('./typescript/package.json')) as { dependencies: Record<string, string> };

  it('are locked in the versions of package.json', () => expect(root?.dependencies).toEqual(dependencies));

  it('are all locked with a checksum and without the address of a registry', () => {
    const unsafe = Object.entries(packages).filter(([, { integrity, resolved }]) => !integrity || resolved);
    expect(unsafe).toEqual([]);
  });

  it('are installed from the lock file without install scripts', () => {
    expect(read('./generate.ts')).toContain(`run('npm', 'ci', '--ignore-scripts'`);
  });
});
