import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settings } from '../packages/server/src/config.ts';
import { carriedIn, faultsOf, readCsv, readLevels, type Known, type Row } from './asvs.ts';
import { fromRoot } from './printed-file.ts';

/** The current number. It may only decrease. */
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
  .filter((file) => /^(?:packages\/\w+\/(?:src|test|vite-plugins)|qa|tools|e2e)\//.test(file));

const known: Known = {
  levels: new Map(listed),
  settings: new Set(Object.keys(settings)),
  carried: new Map(files.map((file) => [file, carriedIn(read(file))])),
};

describe('asvs-ids.txt', () => {
  it('lists 70 requirements of level 1 and 183 of level 2 without duplicates', () => {
    const levels = listed.map(([, level]) => level);
    expect([levels.filter((level) => level === '1').length, levels.filter((level) => level === '2').length]).toEqual([
      70, 183,
    ]);
    expect(known.levels.size).toBe(253);
    expect(listed.filter(([id]) => !/^V(?:[1-9]|1[0-7])\.\d{1,2}\.\d{1,2}$/.test(id))).toEqual([]);
  });
});

describe('the ASVS table', () => {
  it('is complete and has evidence for every requirement', () => {
    expect(faultsOf(rows, known)).toEqual([]);
  });

  it(`has at most ${mostGaps} gaps`, () => {
    const gaps = rows.filter(({ kind }) => kind === 'gap');
    console.log(`${gaps.length} of ${rows.length} requirements are open: ${gaps.map(({ id }) => id).join(', ')}`);
    expect(gaps.length).toBeLessThanOrEqual(mostGaps);
  });
});

describe('the check of the ASVS table', () => {
  const file = files.find((name) => name.endsWith('passwords.test.ts')) ?? '';
  const [tested, setting] = ['test', 'setting'].map((kind) => rows.find((row) => row.kind === kind) as Row);
  const withRow = (change: Partial<Row>, row = tested) =>
    faultsOf(
      rows.map((one) => (one === row ? { ...one, ...change } : one)),
      known,
    );
  const id = tested?.id;

  it.each<[string, () => string[], string | RegExp]>([
    ['a duplicate row', () => faultsOf([...rows, tested as Row], known), `${id} is in the table more than once.`],
    ['a missing row', () => faultsOf(rows.slice(0, -1), known), / is not in the table\.$/],
    ['an unknown id', () => withRow({ id: 'V99.1.1' }), 'V99.1.1 is not in asvs-ids.txt.'],
    [
      'a wrong level',
      () => withRow({ level: '3' }),
      `${id} has level ${known.levels.get(id ?? '')}, but the table says 3.`,
    ],
    ['a missing summary', () => withRow({ summary: '' }), `${id}: The summary "" is not a full sentence.`],
    ['an unknown kind', () => withRow({ kind: 'later' }), /The kind "later" is unknown\. Use test, /],
    ['missing evidence', () => withRow({ evidence: '' }), `${id}: "" is not a test file.`],
    [
      'a test file that does not exist',
      () => withRow({ evidence: 'tools/no.test.ts' }),
      /no\.test\.ts" is not a test file\.$/,
    ],
    [
      'a test file without the id',
      () => withRow({ evidence: file }),
      `${id}: No test name in ${file} ends with this id.`,
    ],
    [
      'an unknown setting',
      () => withRow({ evidence: 'MILEPOST_X: It is so.' }, setting),
      /"MILEPOST_X" is not a setting\.$/,
    ],
    [
      'a setting without an explanation',
      () => withRow({ evidence: 'MILEPOST_HOST' }, setting),
      /does not explain how MILEPOST_HOST meets the requirement\.$/,
    ],
    [
      'a reason that is not a sentence',
      () => withRow({ kind: 'not applicable', evidence: 'No.' }),
      /reason "No\." is not a full sentence\.$/,
    ],
    [
      'a test name with an id that the table does not link',
      () => withRow({ kind: 'gap', evidence: 'This does not exist yet.' }),
      /, but the table does not link this file\.$/,
    ],
    [
      'too many requirements that do not apply',
      () =>
        faultsOf(
          rows.map((row) => ({ ...row, kind: 'not applicable' })),
          known,
        ),
      / requirements do not apply\. The limit is 30 %\.$/,
    ],
  ])('reports %s', (_what, find, expected) => {
    expect(find()).toContainEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });
});

/** Built from parts, so that this file itself has no such names. */
const named = (what: string, ...ids: string[]) => `'${what} (${ids.map((id) => `V${id}`).join(', ')})'`;

describe('carriedIn', () => {
  it('returns the ids at the ends of test names', () => {
    const text = [
      `it(${named('one', '1.1.1')}, () => {});`,
      `  it.each([1])(${named('two %i', '1.1.2', '1.2.10')}, () => {});`,
      `it.each([\n  1,\n])(\n  ${named('three', '1.3.1')},\n  () => {},\n);`,
    ].join('\n');
    expect([...carriedIn(text)]).toEqual(['V1.1.1', 'V1.1.2', 'V1.2.10', 'V1.3.1']);
  });

  it('ignores ids in comments, in other strings and in the middle of a name', () => {
    const text = [
      `// it(${named('one', '1.1.1')}, () => {});`,
      `it(${named('two', '1.1.2').replace(/'$/, " and more'")}, () => {});`,
      `const a = ${named('three', '1.1.3')};`,
    ].join('\n');
    expect([...carriedIn(text)]).toEqual([]);
  });
});
