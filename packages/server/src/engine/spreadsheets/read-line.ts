/** Reads a line of a spreadsheet according to the mapping of its columns. All faults are found, not only the first. */
import type { ColumnMapping, ColumnTarget } from '@milepost/api';
import { isFuture, readDate } from './read-date.ts';

export interface LineFault {
  /** The column, counted from 1. 0: the whole line. */
  place: number;
  detail: string;
}

/** A value with the name of its external system or variable. */
export interface NamedValue<T = string> {
  name: string;
  value: T;
  place: number;
}

export interface WantedLine {
  line: number;
  subject: string;
  dateOfBirth: string | null;
  subjectIds: NamedValue[];
  /** Null: the line only has a subject. */
  experiment: string | null;
  scanDate: string | null;
  state: string | null;
  scans: string[];
  experimentIds: NamedValue[];
  variables: NamedValue<unknown>[];
}

export interface ReadLine {
  wanted: WantedLine;
  faults: LineFault[];
}

/** The column of each target that only one column can have. */
export type Places = Partial<Record<ColumnTarget, number>>;

export const placesOf = (mapping: readonly ColumnMapping[]): Places =>
  Object.fromEntries(mapping.map(({ target }, index) => [target, index + 1]));

export interface Sheet {
  headers: readonly string[];
  mapping: readonly ColumnMapping[];
  now: Date;
}

const ofExperiment = new Set<ColumnTarget>(['scan_date', 'state', 'scans', 'experiment_id', 'variable']);

export function readLine(sheet: Sheet, { line, cells }: { line: number; cells: readonly string[] }): ReadLine {
  const faults: LineFault[] = [];
  const reader = cellReader(sheet, cells, faults);
  const wanted: WantedLine = {
    line,
    subject: reader.label('subject') ?? '',
    dateOfBirth: reader.date('date_of_birth')?.slice(0, 10) ?? null,
    subjectIds: reader.ids('subject_id'),
    experiment: reader.label('experiment'),
    scanDate: reader.date('scan_date'),
    state: reader.text('state'),
    scans: reader.list('scans'),
    experimentIds: reader.ids('experiment_id'),
    variables: reader.named('variable').map(({ value, ...rest }) => ({ ...rest, value: readVariable(value) })),
  };
  faults.push(...missingParts(sheet, wanted, cells, faults));
  return { wanted, faults };
}

function cellReader({ headers, mapping, now }: Sheet, cells: readonly string[], faults: LineFault[]) {
  const places = placesOf(mapping);
  const at = (place: number | undefined) => (place === undefined ? '' : (cells[place - 1] ?? ''));
  const fail = (place: number | undefined, detail: string) => void faults.push({ place: place ?? 0, detail });
  const text = (target: ColumnTarget) => at(places[target]).normalize('NFC') || null;
  const named = (target: ColumnTarget): NamedValue[] =>
    mapping.flatMap((column, index) => {
      const value = column.target === target ? at(index + 1) : '';
      return value === '' ? [] : [{ name: column.name ?? '', value, place: index + 1 }];
    });
  return {
    text,
    named,
    label(target: 'subject' | 'experiment') {
      const place = places[target];
      if (text(target) === null) return null;
      const template = mapping[(place ?? 0) - 1]?.template ?? '';
      const missing = placeholdersOf(template).find((header) => !cells[headers.indexOf(header)]);
      const label = template === '' ? text(target) : fillIn(template, headers, cells).normalize('NFC');
      const fault =
        missing === undefined ? faultOfLabel(label ?? '') : `The label needs a value in the column ${missing}.`;
      if (fault !== undefined) fail(place, fault);
      return label;
    },
    date(target: 'date_of_birth' | 'scan_date') {
      const given = text(target);
      const date = given === null ? null : readDate(given);
      if (date === undefined) fail(places[target], notADate);
      else if (date !== null && isFuture(date, now))
        fail(places[target], `In the future. Today is ${now.toISOString().slice(0, 10)}.`);
      return date ?? null;
    },
    ids(target: 'subject_id' | 'experiment_id') {
      const values = named(target);
      for (const { value, place } of values) if (value.length > 1024) fail(place, 'Longer than 1,024 characters.');
      return values;
    },
    list: (target: 'scans') => [
      ...new Set(
        at(places[target])
          .split(/[;,|]/)
          .map((part) => part.trim().normalize('NFC'))
          .filter((part) => part !== ''),
      ),
    ],
  };
}

const notADate = 'Not a date. Use YYYY-MM-DD or DD.MM.YYYY with a real day.';

const placeholder = /\{([^{}]*)\}/g;

/** The columns that a template names. */
export const placeholdersOf = (template: string): string[] =>
  [...template.matchAll(placeholder)].map(([, header = '']) => header);

/** `{subject}-{visit}` with the values of these columns. */
const fillIn = (template: string, headers: readonly string[], cells: readonly string[]) =>
  template.replaceAll(placeholder, (all, header: string) => {
    const index = headers.indexOf(header);
    return index === -1 ? all : (cells[index] ?? '');
  });

const control = /\p{Cc}/u;

function faultOfLabel(label: string): string | undefined {
  if (control.test(label)) return 'A label must not contain line breaks or other control characters.';
  if (Array.from(label).length > 255) return 'A label has at most 255 characters.';
  return label === '.' || label === '..' ? 'A label must not be "." or "..".' : undefined;
}

function missingParts(
  { headers, mapping }: Sheet,
  { experiment }: WantedLine,
  cells: readonly string[],
  faults: readonly LineFault[],
): LineFault[] {
  const places = placesOf(mapping);
  const missing: LineFault[] = [];
  const isEmpty = (place: number | undefined) => (cells[(place ?? 0) - 1] ?? '') === '';
  if (isEmpty(places.subject) && !faults.some(({ place }) => place === places.subject))
    missing.push({ place: places.subject ?? 0, detail: 'A subject label is required.' });
  const needing = mapping.findIndex(({ target }, index) => ofExperiment.has(target) && !isEmpty(index + 1));
  if (experiment === null && needing !== -1)
    missing.push({ place: places.experiment ?? needing + 1, detail: 'An experiment label is required for this line.' });
  if (cells.slice(headers.length).some((cell) => cell !== ''))
    missing.push({ place: 0, detail: `The line has ${cells.length} values, but there are ${headers.length} columns.` });
  return missing;
}

/** Numbers and true or false have their type. Everything else, such as 007, is text. */
export function readVariable(text: string): unknown {
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text)) return Number(text);
  const word = text.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : text;
}
