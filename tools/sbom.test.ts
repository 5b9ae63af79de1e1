import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fromRoot } from './printed-file.ts';
import { foreignComponents, makeSbom, productionPackages, readLock } from './sbom.ts';

const lock = readLock();

describe('the bill of materials', () => {
  const sbom = makeSbom('1.2.3');
  const { bomFormat, components } = sbom;
  const named = new Set(
    components.map(({ purl, version }) => {
      const name = decodeURIComponent(purl.replace(/^pkg:npm\//, '').replace(/@[^@]*$/, ''));
      return `${name}@${version}`;
    }),
  );

  it('lists every production package in its locked version (V15.1.2)', () => {
    expect(bomFormat).toBe('CycloneDX');
    const wanted = foreignComponents(lock);
    expect(wanted.length).toBeGreaterThan(100);
    expect(wanted.filter((one) => !named.has(one))).toEqual([]);
    for (const own of [
      'milepost',
      '@milepost/api',
      '@milepost/definitions',
      '@milepost/server',
      '@milepost/web',
      '@milepost/cli',
    ])
      expect([...named].filter((one) => one.startsWith(`${own}@`))).toHaveLength(1);
  });

  it('lists no development dependency', () => {
    const wanted = new Set(foreignComponents(lock));
    expect([...named].filter((one) => !wanted.has(one) && !/^(?:@milepost\/|milepost)/.test(one))).toEqual([]);
    expect([...named].filter((one) => /^(?:vitest|typescript|oxlint)@/.test(one))).toEqual([]);
  });

  it('is the same for the same sources', () => {
    expect(makeSbom('1.2.3')).toEqual(sbom);
  });

  it('does not match a lock file with one more package', () => {
    const more = { packages: { ...lock.packages, 'node_modules/unknown': { version: '9.9.9' } } };
    expect(foreignComponents(more).filter((one) => !named.has(one))).toEqual(['unknown@9.9.9']);
  });
});

describe('third-party packages', () => {
  it('are locked by checksum', () => {
    const foreign = productionPackages(lock).filter(([place, { link }]) => place.includes('node_modules/') && !link);
    expect(foreign.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([place]) => place)).toEqual(
      [],
    );
  });

  it('contain no cryptography except the password hash (V11.2.1)', () => {
    const known =
      /(?:^|[/@-])(?:crypto-js|crypto-browserify|node-forge|sjcl|elliptic|tweetnacl|jsrsasign|asmcrypto|bcryptjs?|scryptsy?|argon2|md5|sha1|blake\w*|libsodium\w*|noble)\b/;
    const names = productionPackages(lock).map(([place]) => place.replace(/^.*node_modules\//, ''));
    expect(names).toContain('openid-client');
    expect(names.filter((name) => known.test(name) && !name.startsWith('@node-rs/argon2'))).toEqual([]);
    for (const one of ['crypto-js', '@noble/curves', '@stablelib/blake2b', 'libsodium-wrappers', '@node-rs/argon2'])
      expect(known.test(one)).toBe(true);
  });

  it('are audited weekly by a job that fails if a vulnerability is known', () => {
    const workflow = readFileSync(fromRoot('.github/workflows/audit.yml'), 'utf8');
    expect(workflow).toMatch(/schedule:\n\s+- cron: '\d+ \d+ \* \* [0-6]'/);
    expect(workflow).toMatch(/run: npm audit --omit=dev --audit-level=low$/m);
  });
});
