import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { worstIncident } from '../../status/incident-outcome.ts';
import { Outcome } from '../../status/outcome.tsx';
import { StateChip } from '../../status/state-chip.tsx';
import type { Column } from '../../table/column.ts';
import { Name, NameLink } from '../../ui/name.tsx';
import { tooltip } from '../../ui/tooltip.tsx';
import { visitLabel, workflowsOf } from './matrix-names.ts';
import type { MatrixExperiment, MatrixSubject } from './use-cohort.ts';
import styles from './matrix.module.css';

/** More columns would be too narrow to read. */
const maxWorkflowColumns = 3;

interface CellProps {
  subject: MatrixSubject;
  experiment: MatrixExperiment;
}

function ExperimentCell({ subject, experiment }: CellProps) {
  const outcome = worstIncident(experiment.incidents);
  return (
    <Link className={styles['experiment']} to={paths.experiment(experiment.id)} {...tooltip(experiment.label)}>
      <bdi className={styles['label']}>{visitLabel(subject.label, experiment.label)}</bdi>{' '}
      <StateChip state={experiment.state} /> {outcome ? <Outcome name={outcome} /> : null}
    </Link>
  );
}

interface CellsProps {
  subject: MatrixSubject;
  experiments: readonly MatrixExperiment[];
  /** Shown above the experiments on narrow screens, which have no column headers. */
  name: string | undefined;
}

const Cells = ({ subject, experiments, name }: CellsProps) =>
  experiments.length === 0 ? (
    <span className={styles['none']} data-wide-only={name === undefined ? undefined : true}>
      —
    </span>
  ) : (
    <>
      {name === undefined ? null : (
        <span className={styles['name']}>
          <Name text={name} />
        </span>
      )}
      <div className={styles['cells']}>
        {experiments.map((experiment) => (
          <ExperimentCell key={experiment.id} subject={subject} experiment={experiment} />
        ))}
      </div>
    </>
  );

const textOf = (experiments: readonly MatrixExperiment[]) =>
  experiments.map(({ label, state }) => `${label}: ${state.label}`).join(', ');

const allColumn: Column<MatrixSubject> = {
  id: 'experiments',
  header: 'Experiments',
  text: ({ experiments }) => textOf(experiments),
  cell: (subject) => <Cells subject={subject} experiments={subject.experiments} name={undefined} />,
};

const workflowColumn = ({ id, label }: { id: number; label: string }): Column<MatrixSubject> => {
  const inWorkflow = ({ experiments }: MatrixSubject) => experiments.filter(({ workflow }) => workflow.id === id);
  return {
    id: `workflow-${id}`,
    header: label,
    text: (subject) => textOf(inWorkflow(subject)),
    cell: (subject) => <Cells subject={subject} experiments={inWorkflow(subject)} name={label} />,
  };
};

const withdrawnText = ({ date, erased_at }: NonNullable<MatrixSubject['withdrawn']>) =>
  `withdrawn on ${date}${erased_at === null ? '' : ', erased'}`;

const subjectColumn: Column<MatrixSubject> = {
  id: 'subject',
  header: 'Subject',
  names: true,
  width: '20%',
  text: ({ label }) => label,
  cell: ({ id, label, withdrawn }) => (
    <>
      <NameLink text={label} to={paths.subject(id)} />
      {withdrawn ? <span className={styles['withdrawn']}>{withdrawnText(withdrawn)}</span> : null}
    </>
  ),
};

/** One column per workflow if there are only a few workflows. */
export function matrixColumns(subjects: readonly MatrixSubject[]): Column<MatrixSubject>[] {
  const workflows = workflowsOf(subjects);
  const inColumns = workflows.length > 1 && workflows.length <= maxWorkflowColumns;
  return [subjectColumn, ...(inColumns ? workflows.map(workflowColumn) : [allColumn])];
}
