import { expect, it } from 'vitest';
import {
  endText,
  fileText,
  lineText,
  progressText,
  resultText,
  statusName,
  targetName,
  type Import,
} from './import-words.ts';

it('describes the file', () => {
  expect(fileText({ lines: 214, delimiter: ';', encoding: 'utf-8' })).toBe(
    '214 lines and a header, semicolon separated, UTF-8.',
  );
  expect(fileText({ lines: 1, delimiter: '\t', encoding: 'windows-1252' })).toBe(
    '1 line and a header, tab separated, Windows-1252.',
  );
});

const at = '2026-11-16T09:38:00.000Z';
const numbers = {
  status: 'checked',
  started_at: null,
  checked: 1214,
  done: 0,
  ready: 1197,
  unchanged: 16,
  faulty: 1,
} as const;

it.each([
  [{}, '1,197 can be imported, 16 unchanged, 1 faulty'],
  [{ status: 'checking', checked: 120 } as const, '120 checked'],
  [{ status: 'stopped' } as const, 'Nothing imported'],
  [{ status: 'stopped', started_at: at, done: 120 } as const, '120 imported, 16 unchanged, 1 faulty'],
  [{ status: 'finished', started_at: at, done: 1214, unchanged: 0, faulty: 0 } as const, '1,214 imported'],
])('the result of an import with %o is: %s', (part, text) => {
  expect(resultText({ ...numbers, ...part })).toBe(text);
});

it.each([
  [null, null, 'Cancelled'],
  [at, null, 'Stopped'],
  [null, 'The account was deactivated.', 'Stopped'],
])('a stopped import that started at %s and stopped because of %s is %s', (started, because, name) => {
  expect(statusName({ status: 'stopped', started_at: started, stopped_because: because })).toBe(name);
});

it('names the system of an external ID', () => {
  expect(targetName('experiment_id', 'XNAT')).toBe('Experiment ID in XNAT');
  expect(targetName('variable', 'scanner')).toBe('Variable');
});

it.each([
  ['ready', true, true, 'New subject and experiment'],
  ['ready', false, true, 'New experiment'],
  ['ready', true, false, 'New subject'],
  ['ready', false, false, 'Adds values'],
  ['done', true, true, 'Created subject and experiment'],
  ['done', false, false, 'Values added'],
  ['unchanged', false, false, 'Unchanged'],
  ['faulty', true, true, 'Skipped, has faults'],
  [null, false, false, 'Not checked yet'],
] as const)('a line that is %s, with a new subject: %s, experiment: %s, is %s', (result, subject, experiment, text) => {
  expect(lineText({ result, new_subject: subject, new_experiment: experiment })).toBe(text);
});

const running = { ...numbers, file_name: 'visits.csv', status: 'running', started_at: at, done: 120 } as Import;

it('says how far it is, and whether it is paused', () => {
  expect(progressText(running)).toBe('Importing 120 of 1,317 lines of visits.csv');
  expect(progressText({ ...running, status: 'paused' })).toBe('Paused after 120 of 1,317 lines of visits.csv');
});

it('says how it ended', () => {
  const rest = { unchanged: 0, faulty: 1, stopped_because: null };
  expect(endText({ ...running, ...rest, status: 'finished', ready: 0 })).toBe(
    'Import of visits.csv: 120 imported, 1 faulty.',
  );
  expect(endText({ ...running, ...rest, status: 'stopped', stopped_because: 'Paused for 30 days.' })).toBe(
    'Import of visits.csv: 120 imported, 1 faulty, 1,197 not imported. Stopped. Paused for 30 days.',
  );
});
