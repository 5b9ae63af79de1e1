import { describe, expect, it } from 'vitest';
import { findForbidden } from './forbidden-texts.ts';

// Built from parts, so that this file itself contains no forbidden text.
const path = (...parts: string[]) => ['', ...parts].join('/');
const host = (...parts: string[]) => parts.join('.');

describe('findForbidden', () => {
  it.each([
    ['a path in a home folder', `cd ${path('home', 'ann', 'milepost')}`],
    ['a path in the home folder of root', `"${path('root', '.npmrc')}"`],
    ['a path in a work folder', `see ${path('work', 'notes.md')}`],
    ['a path in a home folder on macOS', `(${path('Users', 'ann')})`],
    ['a path in a home folder on Windows', ['C:', 'Users', 'ann'].join('\\')],
    ['a file URL', `file://${path('home', 'ann', 'a.ts')}`],
  ])('reports %s', (_, text) => {
    expect(findForbidden('README.md', `first line\n${text}`)).toEqual([
      expect.stringMatching(/^README\.md:2: a path of one machine: /),
    ]);
  });

  it.each([host('registry', 'npmjs', 'org'), host('npm', 'site', 'example'), host('artifactory', 'site', 'org')])(
    'reports the registry host %s',
    (name) => {
      expect(findForbidden('docs/a.md', `from https://${name}/`)).toEqual([
        `docs/a.md:1: the host of a registry: ${name}`,
      ]);
    },
  );

  it('reports the host of a locked package', () => {
    const line = '"resolved": "https://packages.site.org/ajv.tgz"';
    expect(findForbidden('package-lock.json', line)).toHaveLength(1);
    expect(findForbidden('packages/api/interface.json', line)).toEqual([]);
  });

  it('reports a registry setting and a registry token', () => {
    const lines = ['registry=https://packages.site.org', '//packages.site.org/:_authToken=x'];
    expect(findForbidden('.npmrc', lines.join('\n'))).toHaveLength(2);
  });

  it('reports a comment that disables a size limit', () => {
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
  ])('accepts %j', (text) => {
    expect(findForbidden('a.ts', text)).toEqual([]);
  });
});
