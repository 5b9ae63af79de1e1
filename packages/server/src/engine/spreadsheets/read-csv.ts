/** Reads a CSV file as a stream: its header, and then its lines in batches. Memory does not grow with the file. */
import {
  delimiters,
  maxImportColumns,
  maxImportLines,
  maxImportMiB,
  type Delimiter,
  type Encoding,
} from '@milepost/api';
import { parse } from 'csv-parse';
import { Readable } from 'node:stream';
import { Problem } from '../../errors.ts';

/** `line` counts from the header, which is line 1, as a spreadsheet does. A quoted value with line breaks is still one line. */
export interface CsvLine {
  line: number;
  cells: string[];
}

export interface CsvFile {
  delimiter: Delimiter;
  headers: string[];
  /** Without empty lines. Cells beyond the last header are kept, so that the check can report them. */
  lines: AsyncIterable<CsvLine>;
}

const longestLine = 200_000;

/** Throws a problem that says what is wrong with the file. */
export async function readCsv(bytes: AsyncIterable<Buffer>, encoding: Encoding): Promise<CsvFile> {
  const texts = decoded(limited(bytes), encoding)[Symbol.asyncIterator]();
  const start = await readStart(texts);
  const delimiter = delimiterOf(start);
  const records = parsed(joined(start, texts), delimiter)[Symbol.asyncIterator]();
  const first = await records.next();
  if (first.done) throw fileFault('The file is empty. Its first line must name the columns.');
  return { delimiter, headers: headersOf(first.value), lines: linesOf(records) };
}

async function* limited(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > maxImportMiB * 1024 * 1024) {
      throw new Problem('body_too_large', `The file has more than ${maxImportMiB} MiB. Split it.`);
    }
    yield chunk;
  }
}

async function* decoded(bytes: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (chunk?: Buffer) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw fileFault(
        `The file is not ${encoding === 'utf-8' ? 'UTF-8' : 'Windows-1252'}. Save it as "CSV UTF-8", or name its encoding: ?encoding=windows-1252.`,
      );
    }
  };
  for await (const chunk of bytes) yield withoutNul(decode(chunk));
  yield withoutNul(decode());
}

/** PostgreSQL stores every character but this one. */
function withoutNul(text: string): string {
  if (text.includes('\0')) throw fileFault('The file contains a NUL character. Save it as CSV, not as a workbook.');
  return text;
}

/** Reads until the first line is complete. */
async function readStart(texts: AsyncIterator<string>): Promise<string> {
  let start = '';
  while (!/[\r\n]/.test(start) && start.length <= longestLine) {
    const { done, value } = await texts.next();
    if (done) return start;
    start += value;
  }
  return start;
}

/** The one that is most frequent in the first line, outside of quotation marks. */
export function delimiterOf(start: string): Delimiter {
  const [line = ''] = start.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return delimiters.reduce((best, one) => (count(one) > count(best) ? one : best));
}

async function* joined(start: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield start;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* parsed(texts: AsyncIterable<string>, delimiter: Delimiter): AsyncGenerator<string[]> {
  const source = Readable.from(texts);
  const parser = source.compose(
    parse({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: longestLine,
    }),
  );
  try {
    for await (const record of parser) yield (record as string[]).map((cell) => cell.trim());
  } catch (error) {
    throw problemOf(error);
  } finally {
    source.destroy();
  }
}

function problemOf(error: unknown): unknown {
  const { code, lines } = error as { code?: string; lines?: number };
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return fileFault('A quotation mark is not closed. The text after it would be one cell.');
  if (code === 'CSV_MAX_RECORD_SIZE')
    return fileFault(`Line ${lines ?? 1} has more than ${longestLine.toLocaleString('en')} characters.`);
  // Its message can contain the text of a cell, and the import keeps this one.
  return code?.startsWith('CSV_') ? fileFault(`Line ${lines ?? 1} is not CSV (${code}).`) : error;
}

function headersOf(cells: readonly string[]): string[] {
  const headers = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
  if (headers.length === 0) throw fileFault('The first line is empty. It must name the columns.');
  if (headers.length > maxImportColumns) throw fileFault(`The file has more than ${maxImportColumns} columns.`);
  const long = headers.find((header) => header.length > 255);
  if (long !== undefined) throw fileFault('A column name in the first line has more than 255 characters.');
  return uniqueNames(headers.map((header, index) => header || `column ${index + 1}`));
}

/** A repeated header gets a number, so that each column can be mapped. */
function uniqueNames(headers: readonly string[]): string[] {
  const used = new Set<string>();
  for (const header of headers) {
    let name = header;
    for (let number = 2; used.has(name); number++) name = `${header} (${number})`;
    used.add(name);
  }
  return [...used];
}

/** Ends the reading of the file after a fault, too. */
async function* linesOf(records: AsyncIterator<string[]>): AsyncGenerator<CsvLine> {
  let count = 0;
  try {
    for (let line = 2; ; line++) {
      const { done, value } = await records.next();
      if (done) return;
      if (value.every((cell) => cell === '')) continue;
      if (++count > maxImportLines) throw tooManyLines();
      yield { line, cells: value };
    }
  } finally {
    await records.return?.();
  }
}

const tooManyLines = () => fileFault(`The file has more than ${maxImportLines.toLocaleString('en')} lines. Split it.`);

const fileFault = (detail: string) => new Problem('invalid_request', detail, { faults: [{ pointer: '', detail }] });
