import type { ColumnMapping } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { guessMapping } from './guess-mapping.ts';
import { readDate } from './read-date.ts';
import { readLine, readVariable } from './read-line.ts';

const now = new Date('2026-11-16T12:00:00Z');

function read(columns: Record<string, ColumnMapping>, cells: string[]) {
  const sheet = { headers: Object.keys(columns), mapping: Object.values(columns), now };
  return readLine(sheet, { line: 2, cells });
}

describe('a date', () => {
  it.each([
    ['2026-11-02', '2026-11-02T00:00:00'],
    ['2.11.2026', '2026-11-02T00:00:00'],
    ['02.11.2026 8:05', '2026-11-02T08:05:00'],
    ['2026-11-02T08:30:15.25', '2026-11-02T08:30:15'],
    ['2024-02-29', '2024-02-29T00:00:00'],
  ])('%s is read', (text, date) => expect(readDate(text)).toBe(date));

  it.each([
    '31.02.2026',
    '2026-13-01',
    '11/02/2026',
    '2026-11-02 25:00',
    '20261102',
    'yesterday',
    '02.11.26',
    '0000-01-01',
    '',
  ])('%j is no date', (text) => expect(readDate(text)).toBeUndefined());
});

describe('a line', () => {
  it('has the label of its experiment by a template', () => {
    const columns: Record<string, ColumnMapping> = {
      subject: { target: 'subject' },
      visit: { target: 'experiment', template: '{subject}-{visit}' },
    };
    expect(read(columns, ['MC-1', 'baseline']).wanted).toMatchObject({ subject: 'MC-1', experiment: 'MC-1-baseline' });
    expect(read(columns, ['MC-1', '']).wanted.experiment).toBeNull();
    expect(
      read({ ...columns, visit: { target: 'experiment', template: '{site}-{visit}' } }, ['MC-1', 'm12']).faults,
    ).toEqual([{ place: 2, detail: 'The label needs a value in the column site.' }]);
  });

  it('can be scanned today anywhere on earth, but not tomorrow', () => {
    const columns: Record<string, ColumnMapping> = {
      s: { target: 'subject' },
      e: { target: 'experiment' },
      d: { target: 'scan_date' },
    };
    expect(read(columns, ['a', 'b', '2026-11-17']).faults).toEqual([]);
    expect(read(columns, ['a', 'b', '2026-11-18']).faults).toEqual([
      { place: 3, detail: 'In the future. Today is 2026-11-16.' },
    ]);
  });

  it('has labels without control characters, in one Unicode form', () => {
    const columns: Record<string, ColumnMapping> = { s: { target: 'subject' } };
    expect(read(columns, ['Zoe\u0308']).wanted.subject).toBe('Zoë');
    expect(read(columns, ['a\nb']).faults).toEqual([{ place: 1, detail: expect.stringContaining('line breaks') }]);
    expect(read(columns, ['..']).faults).toHaveLength(1);
    expect(read(columns, ['😀'.repeat(255)]).faults).toEqual([]);
    expect(read(columns, ['']).faults).toEqual([{ place: 1, detail: 'A subject label is required.' }]);
  });
});

it.each([
  ['12', 12],
  ['-0.5', -0.5],
  ['007', '007'],
  ['1,5', '1,5'],
  ['1e5', '1e5'],
  ['12345678901234567890', '12345678901234567890'],
  ['TRUE', true],
  ['false', false],
  ['prisma', 'prisma'],
])('the variable %s is %j', (text, value) => expect(readVariable(text)).toBe(value));

describe('the guess of a mapping', () => {
  it('knows the headers of common spreadsheets, and the names of external systems', () => {
    const headers = [
      'Subject ID',
      'Date of birth',
      'visit',
      'Scan-Date',
      'State',
      'scans',
      'XNAT ID',
      'xnat_subject',
      'var.scanner',
      'ward',
    ];
    expect(guessMapping(headers, ['XNAT', 'X'])).toEqual([
      { target: 'subject' },
      { target: 'date_of_birth' },
      { target: 'experiment', template: '{Subject ID}-{visit}' },
      { target: 'scan_date' },
      { target: 'state' },
      { target: 'scans' },
      { target: 'experiment_id', name: 'XNAT' },
      { target: 'subject_id', name: 'XNAT' },
      { target: 'variable', name: 'scanner' },
      { target: 'ignored' },
    ]);
  });

  it('uses a target once, and prefers a whole label to a visit', () => {
    expect(guessMapping(['subject', 'patient', 'session', 'visit'], [])).toEqual([
      { target: 'subject' },
      { target: 'ignored' },
      { target: 'experiment' },
      { target: 'ignored' },
    ]);
  });
});
