/** Short names for the matrix, whose rows and columns give the context. */
import type { MatrixSubject } from './use-cohort.ts';

/** The experiment's label without a leading subject label: `baseline` for `MC-0041-baseline`. */
export function visitLabel(subject: string, experiment: string): string {
  if (!experiment.startsWith(subject)) return experiment;
  const rest = experiment.slice(subject.length);
  const visit = rest.replace(/^[\s\-_.:/·]+/u, '');
  return visit === '' || visit === rest ? experiment : visit;
}

/** The workflows of the subjects' experiments, oldest first. */
export function workflowsOf(subjects: readonly MatrixSubject[]): { id: number; label: string }[] {
  const experiments = subjects.flatMap((subject) => subject.experiments);
  const workflows = new Map(experiments.map(({ workflow }) => [workflow.id, workflow]));
  return [...workflows.values()].toSorted((a, b) => a.id - b.id);
}
