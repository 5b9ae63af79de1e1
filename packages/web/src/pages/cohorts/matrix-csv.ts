/** The matrix as CSV, with a column for each visit. */
import { outcomeWord } from '../../status/outcome.tsx';
import type { StateLook } from '../../status/state-looks.ts';
import { experimentOf, markOf, otherExperiments } from './matrix-row.ts';
import type { MatrixExperiment, MatrixSubject } from './use-cohort.ts';

/** A spreadsheet would run these as a formula. */
const formula = /^[=+\-@\t\r\n]/;

export function csvLine(cells: readonly string[]): string {
  const quoted = cells
    .map((cell) => (formula.test(cell) ? `'${cell}` : cell))
    .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(',')}\r\n`;
}

export type LookOf = (state: MatrixExperiment['state']) => StateLook;

function cellText(experiment: MatrixExperiment | undefined, lookOf: LookOf): string {
  if (experiment === undefined) return '';
  const mark = markOf(experiment);
  const { title } = lookOf(experiment.state);
  return mark ? `${title} (${(mark.word ?? outcomeWord(mark.name)).toLowerCase()})` : title;
}

export const csvHead = (visits: readonly string[]): string =>
  csvLine(['Subject', 'Withdrawn', ...visits, 'Other', 'Last activity']);

export const csvRow = (subject: MatrixSubject, visits: readonly string[], lookOf: LookOf): string =>
  csvLine([
    subject.label,
    subject.withdrawn?.date ?? '',
    ...visits.map((visit) => cellText(experimentOf(subject, visit), lookOf)),
    otherExperiments(subject, visits)
      .map((experiment) => `${experiment.visit}: ${cellText(experiment, lookOf)}`)
      .join('; '),
    subject.last_activity ?? '',
  ]);
