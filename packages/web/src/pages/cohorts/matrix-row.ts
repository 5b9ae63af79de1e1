/** What the matrix shows of a subject: an experiment for each visit, the others, and how many are done. */
import { worstIncident } from '../../status/incident-outcome.ts';
import type { OutcomeName } from '../../status/outcome.tsx';
import type { StateLook } from '../../status/state-looks.ts';
import type { MatrixExperiment, MatrixSubject } from './use-cohort.ts';

/** The first experiment of the visit. A subject can have a second one with a similar label. */
export const experimentOf = (subject: MatrixSubject, visit: string): MatrixExperiment | undefined =>
  subject.experiments.find((experiment) => experiment.visit === visit);

/** The experiments that are in no column of their own. */
export function otherExperiments(subject: MatrixSubject, visits: readonly string[]): MatrixExperiment[] {
  const shown = new Set(visits.map((visit) => experimentOf(subject, visit)?.id));
  return subject.experiments.filter(({ id }) => !shown.has(id));
}

export interface Mark {
  name: OutcomeName;
  /** A more specific word than that of the outcome. */
  word?: string;
}

/** Why an experiment needs attention. */
export function markOf({ incidents, waits, overdue }: MatrixExperiment): Mark | undefined {
  const incident = worstIncident(incidents);
  if (incident) return { name: incident };
  if (overdue) return { name: 'timed_out', word: 'Overdue' };
  return waits === 'decision' ? { name: 'decide' } : undefined;
}

type Look = Pick<StateLook, 'outcome'>;

/** How many experiments are done: in a final state with a good outcome, or in any final state. */
export const doneOf = (
  { experiments }: MatrixSubject,
  { lookOf, goodOnly }: { lookOf: (state: MatrixExperiment['state']) => Look; goodOnly: boolean },
): number =>
  experiments.filter(({ state }) => {
    const { outcome } = lookOf(state);
    return goodOnly ? outcome === 'good' : outcome !== undefined;
  }).length;

/** How many experiments there would be without gaps: one for each visit, and the others. */
export const expectedOf = (subject: MatrixSubject, visits: readonly string[]): number =>
  visits.length + otherExperiments(subject, visits).length;

/** The column in which a withdrawal is shown: the first one without an experiment. */
export const firstGap = (subject: MatrixSubject, visits: readonly string[]): string | undefined =>
  visits.find((visit) => experimentOf(subject, visit) === undefined);
