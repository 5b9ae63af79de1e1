import { describe, expect, it } from 'vitest';
import { findForbidden } from './forbidden-texts.ts';

// Built from parts, so that this file itself contains no forbidden text.
const path = (...parts: string[]) => ['', ...parts].join('/');
const host = (...parts: string[]) => parts.join('.');

describe('a file of the repository', () => {
  it.each([
    ['a home folder', `cd ${path('home', 'ann', 'milepost')}`],
    ["root's folder", `"${path('root', '.npmrc')}"`],
    ['a workplace', `see ${path('work', 'notes.md')}`],
    ['a home folder on a Mac', `(${path('Users', 'ann')})`],
    ['a home folder on Windows', ['C:', 'Users', 'ann'].join('\\')],
    ['the address of a file', `file://${path('home', 'ann', 'a.ts')}`],
  ])('must not name %s', (_, text) => {
    expect(findForbidden('README.md', `first line\n${text}`)).toEqual([
      expect.stringMatching(/^README\.md:2: a path of one machine: /),
    ]);
  });

  it.each([host('registry', 'npmjs', 'org'), host('npm', 'site', 'example'), host('artifactory', 'site', 'org')])(
    'must not name the registry %s',
    (name) => {
      expect(findForbidden('docs/a.md', `from https://${name}/`)).toEqual([
        `docs/a.md:1: the host of a registry: ${name}`,
      ]);
    },
  );

  it('must not lock packages to the host they came from', () => {
    const line = '"resolved": "https://packages.site.org/ajv.tgz"';
    expect(findForbidden('package-lock.json', line)).toHaveLength(1);
    expect(findForbidden('packages/api/interface.json', line)).toEqual([]);
  });

  it('must not choose a registry or contain a token for one', () => {
    const lines = ['registry=https://packages.site.org', '//packages.site.org/:_authToken=x'];
    expect(findForbidden('.npmrc', lines.join('\n'))).toHaveLength(2);
  });

  it('must not switch off a size limit', () => {
    expect(findForbidden('a.ts', ['// ox', 'lint-disable max-lines'].join(''))).toHaveLength(1);
    expect(
      findForbidden('a.ts', ['// es', 'lint-disable-next-line no-console, max-lines-per-function'].join('')),
    ).toHaveLength(1);
  });

  it.each([
    'GET /work/{id}',
    'packages/server/src/bin/work/x.ts',
    '${root}/home/page',
    'registry.metrics().then((text) => text)',
    'https://docs.example.org/home/page',
    'registry = createRegistry()',
  ])('may contain %s', (text) => {
    expect(findForbidden('a.ts', text)).toEqual([]);
  });
});
