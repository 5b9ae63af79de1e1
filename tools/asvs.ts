/**
 * The table docs/reference/asvs.csv: the requirements of OWASP ASVS 5.0.0 at levels 1 and 2 in our own words, each with its
 * evidence: a test whose name ends with the id, a setting, or the reason why it does not apply.
 */

export interface Row {
  id: string;
  level: string;
  summary: string;
  kind: string;
  evidence: string;
}

/** What the table is checked against. */
export interface Known {
  /** The level of each required id. */
  levels: ReadonlyMap<string, string>;
  settings: ReadonlySet<string>;
  /** The ids in the test names of each file. */
  carried: ReadonlyMap<string, ReadonlySet<string>>;
}

export const columns = ['id', 'level', 'summary', 'kind', 'evidence'] as const;
export const mostNotApplicable = 0.3;

/** Reads CSV. A quoted field may contain commas and doubled quotes. */
export function readCsv(text: string): Row[] {
  const [head = [], ...lines] = text.trimEnd().split('\n').map(fieldsOf);
  if (head.join() !== columns.join()) throw new Error(`The columns must be ${columns.join()}.`);
  return lines.map((fields, index) => {
    if (fields.length !== columns.length) throw new Error(`Line ${index + 2} has ${fields.length} fields.`);
    return Object.fromEntries(columns.map((name, place) => [name, fields[place]])) as unknown as Row;
  });
}

const fieldsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );

/** `V1.1.1 2` on each line. */
export const readLevels = (text: string): [id: string, level: string][] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ') as [string, string]);

const ids = /V\d+\.\d+\.\d+(?:, V\d+\.\d+\.\d+)*/.source;
/** The first argument of a call that ends in ids: `it('is refused (V6.2.1, V6.2.4)',`. */
const nameWithIds = new RegExp(String.raw`(?<=\(\s*)(['"\x60])(?:(?!\1)[^\\\n]|\\.)*\((${ids})\)\1,`, 'g');

/** The ids in the test names of a file. Tests that are commented out do not count. */
export function carriedIn(text: string): Set<string> {
  const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  return new Set([...code.matchAll(nameWithIds)].flatMap(([, , found = '']) => found.split(', ')));
}

/** One sentence for each error in the table. */
export const faultsOf = (rows: readonly Row[], known: Known): string[] => [
  ...faultsOfIds(rows, known.levels),
  ...rows.flatMap((row) => faultsOfRow(row, known).map((fault) => `${row.id}: ${fault}`)),
  ...faultsOfNames(rows, known.carried),
  ...faultsOfShare(rows),
];

function faultsOfIds(rows: readonly Row[], levels: Known['levels']): string[] {
  const seen = new Map<string, number>();
  for (const { id } of rows) seen.set(id, (seen.get(id) ?? 0) + 1);
  return [
    ...[...seen].filter(([, count]) => count > 1).map(([id]) => `${id} is in the table more than once.`),
    ...[...seen.keys()].filter((id) => !levels.has(id)).map((id) => `${id} is not in asvs-ids.txt.`),
    ...[...levels.keys()].filter((id) => !seen.has(id)).map((id) => `${id} is not in the table.`),
    ...rows
      .filter(({ id, level }) => levels.has(id) && levels.get(id) !== level)
      .map(({ id, level }) => `${id} has level ${levels.get(id)}, but the table says ${level}.`),
  ];
}

const isSentence = (text: string) => /^[A-Z].{14,}\.$/.test(text);

function faultsOfRow({ id, summary, kind, evidence }: Row, known: Known): string[] {
  const faults = isSentence(summary) ? [] : [`The summary "${summary}" is not a full sentence.`];
  if (kind === 'test') return [...faults, ...faultsOfTests(id, evidence, known.carried)];
  if (kind === 'setting') return [...faults, ...faultsOfSetting(evidence, known.settings)];
  if (kind === 'not applicable' || kind === 'gap')
    return isSentence(evidence) ? faults : [...faults, `The reason "${evidence}" is not a full sentence.`];
  return [...faults, `The kind "${kind}" is unknown. Use test, setting, not applicable or gap.`];
}

const faultsOfTests = (id: string, evidence: string, carried: Known['carried']): string[] =>
  evidence
    .split('; ')
    .filter((file) => !carried.get(file)?.has(id))
    .map((file) =>
      carried.has(file) ? `No test name in ${file} ends with this id.` : `"${file}" is not a test file.`,
    );

/** The evidence has the form `NAME: How the setting meets the requirement.` */
function faultsOfSetting(evidence: string, settings: Known['settings']): string[] {
  const [name = '', ...words] = evidence.split(': ');
  if (!settings.has(name)) return [`"${name}" is not a setting.`];
  return isSentence(words.join(': ')) ? [] : [`The evidence does not explain how ${name} meets the requirement.`];
}

/** A test name may not claim an id that the table does not link to its file. */
const faultsOfNames = (rows: readonly Row[], carried: Known['carried']): string[] => {
  const linked = new Set(
    rows
      .filter(({ kind }) => kind === 'test')
      .flatMap(({ id, evidence }) => evidence.split('; ').map((file) => `${id} ${file}`)),
  );
  return [...carried].flatMap(([file, found]) =>
    [...found]
      .filter((id) => !linked.has(`${id} ${file}`))
      .map((id) => `${id}: A test name in ${file} ends with this id, but the table does not link this file.`),
  );
};

function faultsOfShare(rows: readonly Row[]): string[] {
  const without = rows.filter(({ kind }) => kind === 'not applicable').length;
  if (without <= rows.length * mostNotApplicable) return [];
  const most = `${mostNotApplicable * 100} %`;
  return [`${without} of ${rows.length} requirements do not apply. The limit is ${most}.`];
}
