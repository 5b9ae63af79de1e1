/** How the matrix names things: shortly, as its rows and columns say the rest. */
import type { MatrixSubject } from './use-cohort.ts';

/** Without the label of the subject that many experiments begin with: `baseline` of MC-0041-baseline. */
export function visitLabel(subject: string, experiment: string): string {
  if (!experiment.startsWith(subject)) return experiment;
  const rest = experiment.slice(subject.length);
  const visit = rest.replace(/^[\s\-_.:/·]+/u, '');
  return visit === '' || visit === rest ? experiment : visit;
}

/** Those that the subjects' experiments take, in the order in which they were made. */
export function workflowsOf(subjects: readonly MatrixSubject[]): { id: number; label: string }[] {
  const experiments = subjects.flatMap((subject) => subject.experiments);
  const workflows = new Map(experiments.map(({ workflow }) => [workflow.id, workflow]));
  return [...workflows.values()].toSorted((a, b) => a.id - b.id);
}
