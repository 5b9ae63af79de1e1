import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { hint } from '../../shown/hints.tsx';
import { NameLink } from '../../shown/name.tsx';
import { Outcome } from '../../shown/outcome.tsx';
import { StateChip } from '../../shown/state-chip.tsx';
import type { Column } from '../../table/column.ts';
import { incidentOutcome, visitLabel, workflowsOf } from './matrix-names.ts';
import type { MatrixExperiment, MatrixSubject } from './use-cohort.ts';
import styles from './matrix.module.css';

/** With more of them columns would be too narrow to read. */
const mostColumns = 3;

interface CellProps {
  subject: MatrixSubject;
  experiment: MatrixExperiment;
}

function ExperimentCell({ subject, experiment }: CellProps) {
  const outcome = incidentOutcome(experiment.incidents);
  return (
    <Link className={styles['experiment']} to={paths.experiment(experiment.id)} {...hint(experiment.label)}>
      <bdi className={styles['label']}>{visitLabel(subject.label, experiment.label)}</bdi>
      <StateChip state={experiment.state} />
      {outcome ? <Outcome name={outcome} /> : null}
    </Link>
  );
}

const cellsOf = (subject: MatrixSubject, workflowId: number | undefined) =>
  subject.experiments.filter(({ workflow }) => workflowId === undefined || workflow.id === workflowId);

const Cells = ({ subject, experiments }: { subject: MatrixSubject; experiments: readonly MatrixExperiment[] }) =>
  experiments.length === 0 ? (
    <span className={styles['none']}>—</span>
  ) : (
    <div className={styles['cells']}>
      {experiments.map((experiment) => (
        <ExperimentCell key={experiment.id} subject={subject} experiment={experiment} />
      ))}
    </div>
  );

/** Of one workflow, or of all where there are too many for columns. */
const workflowColumn = (workflow: { id: number; label: string } | undefined): Column<MatrixSubject> => ({
  id: `workflow-${workflow?.id ?? 'all'}`,
  header: workflow?.label ?? 'Experiments',
  text: (subject) =>
    cellsOf(subject, workflow?.id)
      .map(({ label, state }) => `${label}: ${state.label}`)
      .join(', '),
  cell: (subject) => <Cells subject={subject} experiments={cellsOf(subject, workflow?.id)} />,
});

const subjectColumn: Column<MatrixSubject> = {
  id: 'subject',
  header: 'Subject',
  names: true,
  width: '20%',
  text: ({ label }) => label,
  cell: ({ id, label }) => <NameLink text={label} to={paths.subject(id)} />,
};

export function matrixColumns(subjects: readonly MatrixSubject[]): Column<MatrixSubject>[] {
  const workflows = workflowsOf(subjects);
  const one = workflows.length === 0 || workflows.length > mostColumns;
  return [subjectColumn, ...(one ? [workflowColumn(undefined)] : workflows.map(workflowColumn))];
}
