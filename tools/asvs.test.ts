import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settings } from '../packages/server/src/config.ts';
import { carriedIn, faultsOf, readCsv, readLevels, type Known, type Row } from './asvs.ts';
import { fromRoot } from './printed-file.ts';

/** The current number, which may only fall. */
const mostGaps = 6;

const read = (file: string) => readFileSync(fromRoot(file), 'utf8');
const rows = readCsv(read('docs/reference/asvs.csv'));
const listed = readLevels(read('docs/reference/asvs-ids.txt'));

/** The files that the gate runs. */
const files = execFileSync(
  'git',
  ['-c', 'safe.directory=*', 'ls-files', '-co', '--exclude-standard', '--deduplicate', '*.test.ts'],
  { cwd: fromRoot('.'), encoding: 'utf8' },
)
  .trim()
  .split('\n')
  .filter((file) => /^(?:packages\/\w+\/(?:src|build)|qa|tools|e2e)\//.test(file));

const known: Known = {
  levels: new Map(listed),
  settings: new Set(Object.keys(settings)),
  carried: new Map(files.map((file) => [file, carriedIn(read(file))])),
};

describe('the list of ids', () => {
  it('has 70 of level 1 and 183 of level 2 without duplicates', () => {
    const levels = listed.map(([, level]) => level);
    expect([levels.filter((level) => level === '1').length, levels.filter((level) => level === '2').length]).toEqual([
      70, 183,
    ]);
    expect(known.levels.size).toBe(253);
    expect(listed.filter(([id]) => !/^V(?:[1-9]|1[0-7])\.\d{1,2}\.\d{1,2}$/.test(id))).toEqual([]);
  });
});

describe('the table', () => {
  it('is complete, and every row has its evidence', () => {
    expect(faultsOf(rows, known)).toEqual([]);
  });

  it('has no new gaps', () => {
    const gaps = rows.filter(({ kind }) => kind === 'gap');
    console.log(`${gaps.length} of ${rows.length} requirements are open: ${gaps.map(({ id }) => id).join(', ')}`);
    expect(gaps.length).toBeLessThanOrEqual(mostGaps);
  });
});

describe('a fault of the table', () => {
  const file = files.find((name) => name.endsWith('passwords.test.ts')) ?? '';
  const [tested, setting] = ['test', 'setting'].map((kind) => rows.find((row) => row.kind === kind) as Row);
  const withRow = (change: Partial<Row>, row = tested) =>
    faultsOf(
      rows.map((one) => (one === row ? { ...one, ...change } : one)),
      known,
    );
  const id = tested?.id;

  it.each<[string, () => string[], string | RegExp]>([
    ['a duplicate row', () => faultsOf([...rows, tested as Row], known), `${id}: stands more than once.`],
    ['a missing row', () => faultsOf(rows.slice(0, -1), known), /: is missing\.$/],
    ['an unknown id', () => withRow({ id: 'V99.1.1' }), 'V99.1.1: is in no list.'],
    ['another level', () => withRow({ level: '3' }), `${id}: is not of level 3.`],
    ['no summary', () => withRow({ summary: '' }), `${id}: the summary is no sentence.`],
    ['an unknown kind', () => withRow({ kind: 'later' }), `${id}: later is no kind.`],
    ['empty evidence', () => withRow({ evidence: '' }), `${id}:  is no file of tests.`],
    ['a missing file', () => withRow({ evidence: 'tools/no.test.ts' }), /no\.test\.ts is no file of tests\.$/],
    ['a file without the id', () => withRow({ evidence: file }), `${id}: no test in ${file} carries it.`],
    ['an unknown setting', () => withRow({ evidence: 'MILEPOST_X: It is so.' }, setting), /MILEPOST_X is no setting/],
    ['a setting without an explanation', () => withRow({ evidence: 'MILEPOST_HOST' }, setting), /it is not said how/],
    ['a reason of one word', () => withRow({ kind: 'not applicable', evidence: 'No.' }), /reason is no sentence\.$/],
    ['a gap without a link', () => withRow({ kind: 'gap', evidence: 'This does not exist yet.' }), /, unlinked\.$/],
    [
      'too many that do not apply',
      () =>
        faultsOf(
          rows.map((row) => ({ ...row, kind: 'not applicable' })),
          known,
        ),
      /too many\.$/,
    ],
  ])('is reported: %s', (_what, find, expected) => {
    expect(find()).toContainEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });
});

/** Built from parts, so that this file itself has no such names. */
const named = (what: string, ...ids: string[]) => `'${what} (${ids.map((id) => `V${id}`).join(', ')})'`;

describe('the ids of a file', () => {
  it('are read from the ends of its test names', () => {
    const text = [
      `it(${named('one', '1.1.1')}, () => {});`,
      `  it.each([1])(${named('two %i', '1.1.2', '1.2.10')}, () => {});`,
      `it.each([\n  1,\n])(\n  ${named('three', '1.3.1')},\n  () => {},\n);`,
    ].join('\n');
    expect([...carriedIn(text)]).toEqual(['V1.1.1', 'V1.1.2', 'V1.2.10', 'V1.3.1']);
  });

  it('are not read from comments, other strings or the middle of a name', () => {
    const text = [
      `// it(${named('one', '1.1.1')}, () => {});`,
      `it(${named('two', '1.1.2').replace(/'$/, " and more'")}, () => {});`,
      `const a = ${named('three', '1.1.3')};`,
    ].join('\n');
    expect([...carriedIn(text)]).toEqual([]);
  });
});
