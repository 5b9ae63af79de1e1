/** How the matrix names things: shortly, as its rows and columns say the rest. */
import type { OutcomeName } from '../../shown/outcome.tsx';
import type { MatrixExperiment, MatrixSubject } from './use-cohort.ts';

/** Without the label of the subject that many experiments begin with: `baseline` of MC-0041-baseline. */
export function visitLabel(subject: string, experiment: string): string {
  if (!experiment.startsWith(subject)) return experiment;
  const rest = experiment.slice(subject.length);
  const visit = rest.replace(/^[\s\-_.:/·]+/u, '');
  return visit === '' || visit === rest ? experiment : visit;
}

/** The worst of the open incidents. */
export function incidentOutcome(kinds: MatrixExperiment['incidents']): OutcomeName | undefined {
  if (kinds.length === 0) return undefined;
  if (kinds.some((kind) => kind !== 'failed' && kind !== 'timed_out')) return 'blocked';
  return kinds.includes('failed') ? 'failed' : 'timed_out';
}

/** Those that the subjects' experiments take, in the order in which they were made. */
export function workflowsOf(subjects: readonly MatrixSubject[]): { id: number; label: string }[] {
  const experiments = subjects.flatMap((subject) => subject.experiments);
  const workflows = new Map(experiments.map(({ workflow }) => [workflow.id, workflow]));
  return [...workflows.values()].toSorted((a, b) => a.id - b.id);
}
