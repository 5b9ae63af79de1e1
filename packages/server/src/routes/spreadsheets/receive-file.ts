/** Receives a spreadsheet: stores its lines in batches while it is read, so that memory does not grow with the file. */
import type { ColumnMapping, Delimiter, Encoding } from '@milepost/api';
import { guessMapping } from '../../engine/spreadsheets/guess-mapping.ts';
import { readCsv, type CsvFile, type CsvLine } from '../../engine/spreadsheets/read-csv.ts';
import { placeholdersOf } from '../../engine/spreadsheets/read-line.ts';
import type { Call } from '../../http/call.ts';
import { insertLines } from '../../store/spreadsheets/import-lines.ts';
import { listMappings, type MappingRow } from '../../store/spreadsheets/import-mappings.ts';
import { listSystemNames } from '../../store/study/external-systems.ts';
import { columnIn, hasSubject } from './read-mapping.ts';

type Db = Call['database']['db'];

export interface Received {
  delimiter: Delimiter;
  headers: string[];
  mapping: ColumnMapping[];
  mapping_name: string | null;
  lines: CsvFile['lines'];
}

/** Reads the header, and finds what its columns contain. */
export async function receiveHeader(
  db: Db,
  cohortId: number,
  { file, encoding }: { file: AsyncIterable<Buffer>; encoding: Encoding },
): Promise<Received> {
  const { delimiter, headers, lines } = await readCsv(file, encoding);
  const saved = bestOf(await listMappings(db, cohortId, { limit: maxMappings }), headers);
  const mapping = saved
    ? headers.map((header) => columnIn(saved.columns, header))
    : guessMapping(headers, await listSystemNames(db));
  return { delimiter, headers, mapping, mapping_name: saved?.name ?? null, lines };
}

/** The columns that a mapping needs. */
const neededBy = ({ columns }: MappingRow) =>
  Object.entries(columns).flatMap(([header, { template = '' }]) => [header, ...placeholdersOf(template)]);

/** Of the mappings whose columns the file has, the one with the most. */
const bestOf = (mappings: readonly MappingRow[], headers: readonly string[]): MappingRow | undefined =>
  mappings
    .filter((mapping) => hasSubject(mapping.columns) && neededBy(mapping).every((header) => headers.includes(header)))
    .toSorted((a, b) => Object.keys(b.columns).length - Object.keys(a.columns).length)[0];

export const maxMappings = 100;
const linesAtOnce = 1000;
const mostCharacters = 1_000_000;

/** Returns the number of lines. */
export async function receiveLines(db: Db, importId: number, lines: AsyncIterable<CsvLine>): Promise<number> {
  let [count, characters, batch] = [0, 0, [] as CsvLine[]];
  for await (const line of lines) {
    batch.push(line);
    characters += line.cells.reduce((sum, cell) => sum + cell.length, 0);
    if (batch.length < linesAtOnce && characters < mostCharacters) continue;
    await insertLines(db, importId, batch);
    count += batch.length;
    [characters, batch] = [0, []];
  }
  await insertLines(db, importId, batch);
  return count + batch.length;
}
