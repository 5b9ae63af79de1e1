/** The files that the page creates and rejects. */
import { expect, it } from 'vitest';
import { csvText } from './csv-text.ts';
import { fileProblem } from './file-problem.ts';
import { isUtf8 } from './is-utf8.ts';
import { storedDay } from './stored-day.ts';
import { templateText } from './template.ts';

it('quotes values with delimiters, quotes, line breaks and spaces at the ends', () => {
  expect(csvText([['a;b', 'a,b', 'say "no"', 'two\nlines', ' x', 'plain']], ';')).toBe(
    '\uFEFF"a;b";a,b;"say ""no""";"two\nlines";" x";plain\r\n',
  );
});

it('the template has a column for each external system, and values in every line', () => {
  const lines = templateText({ systems: ['XNAT', 'Castor, old'], protocols: ['T1, old', 'T1w', 'FLAIR', 'DWI'] })
    .slice(1)
    .trimEnd()
    .split('\r\n');
  expect(lines[0]).toBe('subject,date_of_birth,experiment,scan_date,state,scans,XNAT,"Castor, old",var.scanner');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toBe(
    'MC-0001,1956-04-17,MC-0001-baseline,2025-11-03,,T1w;FLAIR,XNAT_E00001,"Castor, old_E00001",prisma-1',
  );
});

it.each([
  ['study.xlsx', 10, 'A workbook cannot be imported. Save it as CSV, and choose the CSV file.'],
  ['study.ODS', 10, 'A workbook cannot be imported. Save it as CSV, and choose the CSV file.'],
  ['study.csv', 0, 'The file is empty.'],
  ['study.csv', 64 * 1024 * 1024 + 1, 'The file has 65 MiB. The limit is 64 MiB. Split it into several files.'],
  ['study.csv', 64 * 1024 * 1024, undefined],
  ['xlsx.csv', 10, undefined],
])('a file %s of %i bytes: %s', (name, size, problem) => {
  expect(fileProblem({ name, size })).toBe(problem);
});

it.each([
  ['02.11.2026', '2026-11-02'],
  ['2.1.2026', '2026-01-02'],
  ['2026-11-02', '2026-11-02'],
  ['unknown', 'unknown'],
])('shows the date %s as %s', (text, day) => {
  expect(storedDay(text)).toBe(day);
});

it.each([
  ['Jürgen in UTF-8', Buffer.from('Jürgen'), true],
  ['Jürgen in Windows-1252', Buffer.from('Jürgen', 'latin1'), false],
  ['a character across two pieces', Buffer.from(`${'x'.repeat(1024 * 1024 - 1)}ü`), true],
  ['an incomplete character at the end', Buffer.from('ü').subarray(0, 1), false],
])('tells whether %s is UTF-8', async (_, bytes, expected) => {
  expect(await isUtf8(new Blob([bytes]))).toBe(expected);
});
