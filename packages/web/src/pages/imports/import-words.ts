/** How pages speak about imports of spreadsheets. */
import type { ColumnTarget, Delimiter, Encoding, ImportStatus } from '@milepost/api';
import type { BodyOf } from '../../api/operation-query.ts';
import { count, countOf } from '../../ui/numbers.ts';

export type Import = BodyOf<'getImport'>;
export type ImportColumn = Import['columns'][number];
export type ImportLine = BodyOf<'listImportLines'>['lines'][number];

const statusNames: Record<ImportStatus, string> = {
  uploading: 'Uploading',
  checking: 'Checking',
  checked: 'Checked',
  running: 'Importing',
  paused: 'Paused',
  finished: 'Imported',
  stopped: 'Stopped',
};

type Progress = Pick<Import, 'status' | 'started_at' | 'stopped_because'>;

/** Whether the user ended it before it changed anything. */
export const isCancelled = ({ status, started_at: started, stopped_because: because }: Progress): boolean =>
  status === 'stopped' && started === null && because === null;

export const statusName = (of: Progress): string => (isCancelled(of) ? 'Cancelled' : statusNames[of.status]);

/** Whether its numbers change without a request of this page. */
export const isWorking = ({ status }: Pick<Import, 'status'>): boolean =>
  status === 'uploading' || status === 'checking' || status === 'running';

export const hasEnded = ({ status }: Pick<Import, 'status'>): boolean => status === 'finished' || status === 'stopped';

/** Whether the mapping and the workflow can change. */
export const isChangeable = ({ status }: Pick<Import, 'status'>): boolean =>
  status === 'checking' || status === 'checked';

/** Whether it has not changed anything yet. */
export const isCancellable = (of: Pick<Import, 'status'>): boolean => of.status === 'uploading' || isChangeable(of);

export const encodingNames: Record<Encoding, string> = { 'utf-8': 'UTF-8', 'windows-1252': 'Windows-1252' };

const delimiterNames: Record<Delimiter, string> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

/** `214 lines and a header, semicolon separated, UTF-8.` */
export const fileText = ({ lines, delimiter, encoding }: Pick<Import, 'lines' | 'delimiter' | 'encoding'>): string =>
  `${countOf(lines, 'line')} and a header, ${delimiterNames[delimiter]} separated, ${encodingNames[encoding]}.`;

type Numbers = Pick<Import, 'status' | 'started_at' | 'checked' | 'done' | 'ready' | 'unchanged' | 'faulty'>;

/** `197 can be imported, 16 unchanged, 1 faulty`, or how many were checked or imported. */
export function resultText(of: Numbers): string {
  const { status, started_at: started, checked, done, ready, unchanged, faulty } = of;
  if (status === 'uploading') return '';
  if (status === 'checking') return `${count(checked)} checked`;
  if (started === null && hasEnded(of)) return 'Nothing imported';
  return [
    started === null ? `${count(ready)} can be imported` : `${count(done)} imported`,
    ...(unchanged === 0 ? [] : [`${count(unchanged)} unchanged`]),
    ...(faulty === 0 ? [] : [`${count(faulty)} faulty`]),
  ].join(', ');
}

/** `Import of visits.csv: 197 imported, 1 faulty.` A stopped import says why, and how many lines it left. */
export function endText(of: Import): string {
  const result = `Import of ${of.file_name}: ${resultText(of)}`;
  if (of.status === 'finished') return `${result}.`;
  return `${result}, ${count(of.ready)} not imported. Stopped. ${of.stopped_because ?? ''}`.trim();
}

/** `Importing 120 of 197 lines of visits.csv`, or that it is paused. */
export function progressText({ status, done, ready, file_name: name }: Import): string {
  const lines = `${count(done)} of ${countOf(done + ready, 'line')} of ${name}`;
  return status === 'paused' ? `Paused after ${lines}` : `Importing ${lines}`;
}

const targetNames: Record<ColumnTarget, string> = {
  ignored: 'Ignored',
  subject: 'Subject label',
  date_of_birth: 'Date of birth',
  subject_id: 'Subject ID',
  experiment: 'Experiment label',
  scan_date: 'Scan date',
  state: 'State',
  scans: 'Scans',
  experiment_id: 'Experiment ID',
  variable: 'Variable',
};

/** `Subject ID in XNAT` for an external ID. */
export const targetName = (target: ColumnTarget, name: string | null | undefined): string =>
  (target === 'subject_id' || target === 'experiment_id') && name
    ? `${targetNames[target]} in ${name}`
    : targetNames[target];

type LineOutcome = Pick<ImportLine, 'result' | 'new_subject' | 'new_experiment'>;

/** What a line does, or has done. */
export function lineText({ result, new_subject: subject, new_experiment: experiment }: LineOutcome): string {
  if (result === null) return 'Not checked yet';
  if (result === 'unchanged') return 'Unchanged';
  if (result === 'faulty') return 'Skipped, has faults';
  const isDone = result === 'done';
  if (!subject && !experiment) return isDone ? 'Values added' : 'Adds values';
  const objects = [...(subject ? ['subject'] : []), ...(experiment ? ['experiment'] : [])].join(' and ');
  return isDone ? `Created ${objects}` : `New ${objects}`;
}
